"""Whatever would change if the reader changed: the Markdown source, its translations, words, numbers and letters."""
