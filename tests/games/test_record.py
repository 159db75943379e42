"""Records and traces: what is read, what is refused and by which words."""

from __future__ import annotations

import copy
import gzip
import io
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kit import catalogue
from kit.games import cascadebeta, record, rowoverflow
from kit.games.core import BadPosition

VECTORS = Path(__file__).parent / "vectors"


def traces(game: str) -> list[Any]:
    with gzip.open(VECTORS / f"{game}.jsonl.gz") as stream:
        return [record.parse(line) for _, line in record.lines(stream)]


TRACE = traces("rowoverflow")[0]


def changed(*path: Any, value: Callable[[Any], Any]) -> Any:
    """A copy of a trace with one thing changed."""
    trace = copy.deepcopy(TRACE)
    place: Any = trace
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value(place[path[-1]])
    return trace


def without(trace: Any, *keys: str) -> Any:
    return {key: value for key, value in trace.items() if key not in keys}


# ── lines ──


def test_lines_are_numbered_and_blank_ones_left_out() -> None:
    assert list(record.lines(io.BytesIO(b"{}\n\n \r\n[]"))) == [(1, b"{}\n"), (4, b"[]")]


def test_a_line_of_the_limit_is_read_and_one_byte_more_is_not() -> None:
    full = b"1".ljust(record.LINE_LIMIT - 1) + b"\n"
    assert [record.parse(line) for _, line in record.lines(io.BytesIO(full * 2))] == [1, 1]
    ((number, line),) = record.lines(io.BytesIO(b" " + full + b"2\n"))
    assert number == 1
    with pytest.raises(BadPosition, match="longer than 4 MiB"):
        record.parse(line)


class Endless:
    """A stream without a newline: who reads it whole never returns."""

    given = 0

    def readline(self, size: int, /) -> bytes:
        assert size > 0, "a line is read without a limit"
        self.given += size
        return b" " * size


def test_a_line_without_end_is_not_read_to_its_end() -> None:
    stream = Endless()
    ((_, line),) = record.lines(stream)
    assert stream.given == len(line) == record.LINE_LIMIT + 1
    with pytest.raises(BadPosition, match="longer than 4 MiB"):
        record.parse(line)


def test_a_truncated_gzip_gives_what_is_whole_then_the_readers_own_error() -> None:
    packed = (VECTORS / "rowoverflow.jsonl.gz").read_bytes()
    reader = record.lines(gzip.GzipFile(fileobj=io.BytesIO(packed[: len(packed) // 2])))
    seen = 0
    with pytest.raises(EOFError):
        for _, line in reader:
            record.replay(record.parse(line), catalogue.game)
            seen += 1
    assert 0 < seen < len(traces("rowoverflow"))


# ── JSON ──


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON: .* at column 2"),
        (b"{} {}", "not JSON"),
        (b'{"a": 1,}', "not JSON"),
        (b"{'a': 1}", "not JSON"),
        (b'"\x01"', "not JSON"),
        (b'{"a": "\xff"}', "not UTF-8 at byte 8"),
        (b'{"a": 1, "a": 2}', "a key stands twice among a, a"),
        (b'{"b": [{"a": 1, "c": 0, "a": 1}]}', "a key stands twice"),
        (b'{"a": NaN}', "NaN is not a number"),
        (b"[Infinity]", "Infinity is not a number"),
        (b"[-Infinity]", "-Infinity is not a number"),
        (b"[" + b"9" * 100_000 + b"]", "a number is too long"),
        (b"[" * 10_000, "nested 10000 deep, more than 32"),
        (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, "nested 10000 deep"),
        (b'["' + b"]" * 10_000 + b'", ' + b"[" * 9_999, "nested 10000 deep"),  # brackets in a string do not count
        (b'["\\"' + b"]" * 10_000 + b'", ' + b"[" * 9_999, "nested 10000 deep"),
        (b'"\\' * 1_000_000, "not JSON"),
        (b'"' + b'\\"' * 1_000_000, "not JSON"),
    ],
)
def test_what_is_not_json_is_refused_at_once(line: bytes, fault: str) -> None:
    began = time.process_time()
    with pytest.raises(BadPosition, match=fault):
        record.parse(line)
    assert time.process_time() - began < 5


def test_depth_counts_brackets_outside_strings_only() -> None:
    deep = b"[" * record.DEPTH_LIMIT + b"]" * record.DEPTH_LIMIT
    assert json.dumps(record.parse(deep)).encode() == deep
    with pytest.raises(BadPosition, match="nested 33 deep"):
        record.parse(b"[" + deep + b"]")
    assert record.parse(b'["' + b"[" * 99 + b'"]') == ["[" * 99]


def test_a_byte_order_mark_is_no_fault() -> None:
    assert record.parse(b"\xef\xbb\xbf[1]\r\n") == [1]


# ── replay ──


@pytest.mark.parametrize("game", ["rowoverflow", "cascadebeta"])
def test_replay_gives_positions_and_events(game: str) -> None:
    for trace in traces(game):
        replay = record.replay(trace, catalogue.game)
        assert len(replay.positions) == len(trace["moves"]) + 1
        assert len(replay.events) == len(trace["moves"])
        assert all(replay.events)
        assert record.replay(without(trace, "check"), catalogue.game) == replay


def test_a_record_of_a_game_is_one() -> None:
    start = rowoverflow.deal(rowoverflow.DECK, 3)
    moves: list[rowoverflow.Move] = []
    position = start
    while legal := position.legal():
        moves.append(legal[-1])
        position, _ = position.play(moves[-1])
    written = record.record(catalogue.game("rowoverflow"), start, moves)
    assert set(written) == {"game", "start", "moves"}
    assert record.replay(json.loads(json.dumps(written)), catalogue.game).positions[-1] == position


@pytest.mark.parametrize(
    ("trace", "fault"),
    [
        ([], "a record is a JSON object"),
        (None, "a record is a JSON object"),
        ({**TRACE, "comment": ""}, "unknown key 'comment'"),
        (without(TRACE, "game"), '"game" is missing'),
        (without(TRACE, "start"), '"start" is missing'),
        (without(TRACE, "moves"), '"moves" is missing'),
        ({**TRACE, "game": "chess"}, "unknown game 'chess'"),
        ({**TRACE, "game": ["rowoverflow"]}, "unknown game"),
        ({**TRACE, "game": "cascadebeta"}, '"game" is not "cascadebeta"'),
        ({**TRACE, "start": None}, "a position is a JSON object"),
        ({**TRACE, "moves": "draw"}, '"moves" is not a list of moves'),
        ({**TRACE, "moves": [1]}, '"moves" is not a list of moves'),
        ({**TRACE, "check": {}}, '"check" has not'),
        ({**TRACE, "check": TRACE["check"][:-1]}, '"check" has not'),
        (changed("check", 0, value=lambda _: 1), "before move 1: the check does not hold exactly legal, position"),
        (changed("check", 1, value=lambda e: {**e, "result": None}), "before move 2: the check does not hold exactly"),
        (changed("check", -1, value=lambda e: without(e, "result")), "at the end: the check does not hold exactly"),
        (changed("check", 1, "position", value=lambda _: []), "before move 2: a position is a JSON object"),
        (changed("check", 1, "position", "aside", value=lambda _: 7), 'before move 2: "aside" is not a list'),
        (changed("check", 1, "position", value=lambda _: TRACE["check"][0]["position"]),
         r"before move 2: 'rows' is \[.*\] in the file, \[.*\] by the engine$"),
        (changed("check", 0, "legal", value=lambda _: "draw"), 'before move 1: "legal" is not a list of moves'),
        (changed("check", 0, "legal", value=lambda ours: [*ours, "hop\ud800"]), r"'hop\\ud800' is legal in the file"),
        (changed("check", 0, "legal", value=lambda ours: ours[1:]), "is legal by the engine, not in the file"),
        (changed("check", 0, "legal", value=lambda ours: [*ours, ours[0]]), "a legal move stands twice"),
        (changed("check", -1, "result", value=lambda _: {"winners": ["\ud800"]}), r"at the end: the result is .*ud800"),
        (changed("moves", 0, value=lambda _: "hop"), "move 1: 'hop' is not a move"),
        (changed("moves", 0, value=lambda _: "reveal 1 1 1"), r"move 1 \(reveal 1 1 1\) is illegal: RO-3"),
    ],
)  # fmt: skip
def test_the_first_fault_of_a_trace_is_named(trace: Any, fault: str) -> None:
    record.replay(TRACE, catalogue.game)
    with pytest.raises(BadPosition, match=fault) as error:
        record.replay(trace, catalogue.game)
    str(error.value).encode()


@pytest.mark.parametrize(("length", "shown"), [(119, '"{}"'), (120, '"{:.116}…')])
def test_a_difference_is_shown_whole_while_it_is_short(length: int, shown: str) -> None:
    theirs = "".join(str(n % 10) for n in range(length - 2))
    with pytest.raises(BadPosition) as error:
        record.replay(changed("check", -1, "result", value=lambda _: theirs), catalogue.game)
    ours = json.dumps(TRACE["check"][-1]["result"], sort_keys=True)
    assert str(error.value) == f"at the end: the result is {shown.format(theirs)} in the file, {ours} by the engine"


@pytest.mark.parametrize("fake", [float, bool, str])
def test_a_result_holds_whole_numbers(fake: type) -> None:
    trace = next(
        t for t in traces("rowoverflow") if t["check"][-1]["result"] and 0 in t["check"][-1]["result"]["winners"]
    )
    trace["check"][-1]["result"]["winners"] = [fake(w) for w in trace["check"][-1]["result"]["winners"]]
    with pytest.raises(BadPosition, match="at the end: the result is"):
        record.replay(trace, catalogue.game)


def test_sets_may_be_written_in_any_order() -> None:
    trace = copy.deepcopy(TRACE)
    for entry in trace["check"]:
        entry["legal"].reverse()
        for hand in entry["position"]["hands"]:
            hand.reverse()
    record.replay(trace, catalogue.game)


def test_a_count_of_repetitions_is_no_difference_between_positions() -> None:
    start = cascadebeta.position_from_text(
        "seat 0:\nAs .. .. ..\n.. 2s .. ..\n.. .. 3s ..\n.. .. .. 4s\n"
        "seat 1:\nAh .. .. ..\n.. 2h .. ..\n.. .. 3h ..\n.. .. .. 4h\ndiscard: Ks"
    )
    moves = ["take Ks", "discard"] * 4
    checks, position = [], start
    for text in [*moves, None]:
        checks.append({"legal": list(map(str, position.legal())), "position": cascadebeta.position_to_json(position)})
        if text:
            position, _ = position.play(cascadebeta.move_from_text(text))
    checks[-1]["result"] = position.result()  # type: ignore[assignment]
    trace = {"game": "cascadebeta", "start": checks[0]["position"], "moves": moves, "check": checks}
    assert record.replay(trace, catalogue.game).positions[-1].result() == {
        "winners": [0, 1], "by": "repetition", "empty": [12, 12]
    }  # fmt: skip
