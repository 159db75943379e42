"""The verified engines, one module a game; `core` holds what they share, `record` replays what was played."""
