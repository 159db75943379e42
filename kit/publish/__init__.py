"""Where the rooms meet: a game, its problems, a language and a paper become sheets in an output folder."""
