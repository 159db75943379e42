"""The second engine: the rules of all four games again, by a second author, to hold the first one against.

It is written from the rules alone and as naively as they read: JSON objects in the interchange form, copied whole
before anything changes, and plain loops over all there is. Every rule that decides something is one small function that
carries the rule's id. Nothing of the rest of kit is imported, and nothing here is fast.

Each game is a module with the same four functions:

`deal(deck, players, **options)` -> the position after the deal; ValueError when there is no such game.
`legal(position)` -> every legal move as text; none when the game is over.
`play(position, move)` -> the next position; ValueError when the move is not legal.
`result(position)` -> the result, or None while the game goes on.

and `canonical(position)`, in which what compares as a set is sorted. Only in CascadeBeta does more count than the
position: there `play(position, move, history)` takes the earlier positions of the record. `kit.reference.record` knows
that, so that whoever walks through a record need not.

Positions are taken to be possible ones: whether 52 cards are 52 different cards is not asked here.
"""
