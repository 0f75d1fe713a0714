"""Programs drawn at random: lists of choices, the builder that makes steps of them, words for what a program uses."""
