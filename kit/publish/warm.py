"""Imported once by the server that the workers are forked from, so that none of them pays for the libraries again."""

import kit.paper.canvas
import kit.paper.imposition
import kit.paper.proof
import kit.paper.sheets  # noqa: F401
from kit.paper import flow

flow.warm()
