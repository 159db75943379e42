"""Imported once by the server that the workers are forked from, so that none of them pays for the libraries again."""

from kit.paper import canvas, flow, imposition, proof, sheets  # noqa: F401

flow.warm()
