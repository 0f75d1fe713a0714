"""What programs write around tapes: scopes, options, modules, checkpoints, printing."""
