"""Checked problems about positions: made from real play, each with every right answer and the argument for it."""
