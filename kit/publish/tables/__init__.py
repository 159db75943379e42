"""How each game's table looks on paper: its cards, positions, mats and score sheet. One module a game.

A table module offers `cards`, `back`, `FIGURES`, `before`, `after`, `cover`, `alt`, `said`, `plural`, `mat`, `score`,
`question` and `Asked` answers; `publish` calls them and knows no game.
"""
