"""Where the rooms meet: a game, its problems, a language and a paper become sheets, and sheets a finished output folder."""
