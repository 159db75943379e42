"""Rules in Markdown and a trusted rules engine, turned into everything a table needs on paper."""

__version__ = "0.1.0"
