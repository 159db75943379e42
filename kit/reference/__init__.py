"""A second, naive engine a game, written from the rules alone: what `kit.games` says is held against it."""
