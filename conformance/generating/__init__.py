"""Programs drawn at random: lists of choices, the builder that turns them into steps, and words for what a program uses."""
