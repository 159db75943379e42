"""What a person types. Every command only calls; heavy libraries are imported by the command that needs them."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from kit import __version__
from kit.faults import BUG, SURROUNDINGS, USAGE, Fault, Faults

if TYPE_CHECKING:
    from kit.publish.sheet import Folders, Order

PACKAGE = Path(__file__).resolve().parent


class _Closed(Exception):
    """Whoever read our output has gone. Not an OSError: click has its own answer to those, with another exit code."""


class _Told(BaseException):
    """A signal asks us to end; not an Exception, so that nothing swallows it. `number` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Cli(click.Group):
    """A group whose every end is one line and an exit code: no traceback unless --debug asks for it."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError as error:
            raise _Closed from error
        return result

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        try:
            return super().make_context(*args, **kwargs)  # prints --help
        except BrokenPipeError as error:
            raise _Closed from error

    def main(self, *args: Any, **kwargs: Any) -> Any:
        debug = "--debug" in sys.argv
        _speak_utf8()
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:  # nohup's wish stands
                signal.signal(number, _told)
        try:
            kwargs["standalone_mode"] = False
            result = super().main(*args, **kwargs)
        except click.exceptions.Exit as end:
            result = end.exit_code
        except click.Abort:
            result = _say("interrupted", 130)
        except click.ClickException as error:
            result = _say(f"error: {' '.join(error.format_message().split())}", USAGE)
        except (Fault, Faults) as error:
            if debug:
                raise
            result = _say(str(error), error.code)
        except KeyboardInterrupt:
            result = _say("interrupted", 130)
        except _Told as told:
            result = _say("ended by a signal", 128 + told.number)
        except (_Closed, BrokenPipeError):
            result = 141
        except OSError as error:
            if debug:
                raise
            where = f"{error.filename}: " if error.filename else ""
            result = _say(f"{where}error: {(error.strerror or str(error)).lower()}.", SURROUNDINGS)
        except Exception as error:
            if debug:
                raise
            result = _say(f"error: {type(error).__name__}: {error}. This is a fault of kit; run it with --debug.", BUG)
        _hush()
        sys.exit(result if isinstance(result, int) else 0)


def _told(number: int, _: object) -> NoReturn:
    signal.signal(number, signal.SIG_IGN)  # asked twice, we still clear up once
    raise _Told(number)


def _say(lines: str, code: int) -> int:
    """Tell an end on stderr; what would steer a terminal is written out. Nobody there to hear it: the code says it."""
    plain = "".join(c if c.isprintable() or c in "\n\u00a0" else repr(c)[1:-1] for c in lines)
    with contextlib.suppress(OSError):
        print(plain, file=sys.stderr, flush=True)
    return code


def _hush() -> None:
    """Write out what is left to say; where that fails, keep the interpreter from failing at it again."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _speak_utf8() -> None:
    """Say what the terminal can show and escape the rest, whatever the locale; speak to nobody where none listens."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by who called us
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - as long as we run
        stream = getattr(sys, name)
        stream.reconfigure(encoding=stream.encoding or "utf-8", errors="backslashreplace")


def _came_with() -> Path:
    """The folder with the content and the templates that came with kit."""
    return next((root for root in (PACKAGE.parent, PACKAGE / "_share") if (root / "templates").is_dir()), PACKAGE)


def _folders(out: str | None = None, content: str | None = None) -> Folders:
    """The content and templates of the folder kit stands in, else those that came with it.

    A `content` that is named is a world of its own: its kit.toml lies in it, and its output beside it.
    """
    from kit.publish.sheet import Folders

    here = Path.cwd()
    if out == "":
        raise Fault("--out names no folder", "Name one, or leave --out away", code=USAGE)
    if content is not None:
        root = Path(content)
        if not content or not root.is_dir():
            raise Fault(f"there is no folder {content[:200]!r}", "Correct --content, or run kit new", code=USAGE)
        beside = Path(os.path.abspath(root))
        return Folders(
            root, root, _came_with() / "templates", Path(out) if out else beside.with_name(f"{beside.name}-output")
        )
    there = [name for name in ("content", "templates") if (here / name).is_dir()]
    if len(there) == 1:  # what came with kit would silently stand in for it
        lacks = "templates" if there == ["content"] else "content"
        raise Fault(f"there is a folder {there[0]} here and none named {lacks}", f"Put {lacks} beside it", code=USAGE)
    for root in (here, PACKAGE.parent, PACKAGE / "_share"):
        if (root / "content").is_dir() and (root / "templates").is_dir():
            return Folders(root, root / "content", root / "templates", Path(out) if out else here / "output")
    raise Fault("there is no content/ and templates/ here", "Change to the folder that holds them", code=USAGE)


@click.group(cls=Cli, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="kit")
@click.option("--debug", is_flag=True, help="Show the traceback of a fault.")
def main(debug: bool) -> None:
    """Make tabletop game kits for paper: cards, mats, booklets, score and practice sheets."""
    if debug:
        import logging

        logging.basicConfig(level=logging.DEBUG)


_content = click.option("--content", type=click.Path(), help="The kits of this folder instead.")


def _split(_: object, __: object, values: tuple[str, ...]) -> tuple[str, ...]:
    """The parts of a list with commas; an empty one would mean everything."""
    parts = tuple(part.strip() for value in values for part in value.split(","))
    if "" in parts:
        raise click.BadParameter("a name is missing in the list.")
    return parts


def _finite(_: object, __: object, value: float) -> float:
    if math.isnan(value):
        raise click.BadParameter("this is not a number.")
    return value


@main.command()
@click.argument("games", nargs=-1)
@click.option("--lang", "langs", multiple=True, callback=_split, help="Language, e.g. en or sv; all by default.")
@click.option("--paper", "papers", multiple=True, callback=_split, help="a4 or letter; both by default.")
@click.option("--card", default="", help="Card size: poker, poker63, mini …")
@click.option(
    "--backs", type=click.Choice(["mirrored", "fold", "none"]), default=None, help="Backs, if not the game's default."
)
@click.option("--suits", default="", help="Colours of playing cards: two, four or german; two by default.")
@click.option("--indices", default="", help="Numbers and letters in the corners of cards: normal or large.")
@click.option("--ace", default="", help="The ace's letter on playing cards and in texts, e.g. E in Swedish.")
@click.option("--edition", default="", help="standard, large-print (18 pt at least) or ink-saver (black only).")
@click.option("--only", multiple=True, callback=_split, help="Kind of sheet, e.g. cards or booklet.")
@click.option("--single", multiple=True, callback=_split, help="Print only these cards again, e.g. 7,15.")
@click.option("--content", type=click.Path(), help="Build the kits of this folder, and read nothing outside of it.")
@click.option("--out", type=click.Path(), help="Output folder; output/ by default.")
@click.option("--jobs", type=click.IntRange(0, 64), default=0, help="Processes; one a core by default.")
@click.option(
    "--wait", type=click.FloatRange(0, 3600), default=60, callback=_finite, help="Seconds to wait for another build."
)
@click.option("--bundle", is_flag=True, help="Also join the kit into few files to print, and pack it as a zip.")
@click.option("--draft", is_flag=True, help="Mark what is not translated on the page instead of stopping.")
def build(
    games: tuple[str, ...],
    langs: tuple[str, ...],
    papers: tuple[str, ...],
    card: str,
    backs: str | None,
    suits: str,
    indices: str,
    ace: str,
    edition: str,
    only: tuple[str, ...],
    single: tuple[str, ...],
    content: str | None,
    out: str | None,
    jobs: int,
    wait: float,
    bundle: bool,
    draft: bool,
) -> None:
    """Make the kits of GAMES (all by default) into the output folder."""
    from kit.publish import build as builder
    from kit.publish.sheet import Order

    order = Order(
        tuple(sorted(set(games))),
        tuple(sorted(set(langs))),
        tuple(sorted({paper.lower() for paper in papers})),
        card,
        backs or "",  # type: ignore[arg-type]
        tuple(sorted(set(only))),
        single,
        draft,
        suits,
        indices,
        ace,
        edition,
        bundle,
    )
    folders = _folders(out, content)
    with _progress() as progress:
        outcome = builder.build(folders, order, jobs, progress, wait)
    if outcome.made:
        click.echo(f"{len(outcome.made)} of {len(outcome.files)} files made. Open {folders.out / 'index.html'}")
    else:
        click.echo(f"Nothing to do: {len(outcome.files)} files are up to date in {folders.out}")


_lang = click.option("--lang", "langs", multiple=True, callback=_split, help="Language; all by default.")
_paper = click.option("--paper", "papers", multiple=True, callback=_split, help="a4 or letter; both by default.")
_out = click.option("--out", type=click.Path(), help="Output folder; output/ by default.")


@main.command()
@click.argument("game")
@click.option("--kind", "kinds", multiple=True, callback=_split, help="Kind of problem: a, b …; all by default.")
@click.option("--level", type=int, help="1 (easy) to 5; rising on each sheet by default.")
@click.option("--count", type=int, help="Problems on a sheet; 8 by default.")
@click.option("--pages", type=int, help="Pages that each sheet fills, instead of --count.")
@click.option("--students", type=int, help="As many different sheets, in one file to print, with one key.")
@click.option("--seed", type=int, default=1, help="Another number makes other problems; 1 by default.")
@click.option("--mixed", is_flag=True, help="One sheet with every kind of problem.")
@click.option("--course", is_flag=True, help="A sheet for each level, the easiest first.")
@_lang
@_paper
@_out
def practice(
    game: str,
    kinds: tuple[str, ...],
    level: int | None,
    count: int | None,
    pages: int | None,
    students: int | None,
    seed: int,
    mixed: bool,
    course: bool,
    langs: tuple[str, ...],
    papers: tuple[str, ...],
    out: str | None,
) -> None:
    """Make practice sheets of GAME, and their keys apart from them.

    \b
    kit practice rowoverflow --kind a --level 2 --lang sv --paper a4
    kit practice rowoverflow --kind b --students 28 --seed 7
    kit practice rowoverflow --mixed --count 12
    """
    from kit.publish import orders

    _some(level=level, count=count, pages=pages, students=students)
    folders = _folders(out)
    wish = orders.Wish(
        game, tuple(map(str.lower, kinds)), level or 0, count or 0, pages or 0, students or 0, seed, mixed, course
    )
    _order(folders, orders.order(orders.series(folders.content, wish), langs, papers))


def _some(**numbers: int | None) -> None:
    """Refuse a number that was given and is none at all."""
    for name, value in numbers.items():
        if value is not None and value < 1:
            raise Fault(f"--{name} {value} is none at all", "Choose 1 or more", code=USAGE)


@main.command(name="sheet")
@click.argument("codes", nargs=-1, required=True)
@_lang
@_paper
@_out
def sheet_(codes: tuple[str, ...], langs: tuple[str, ...], papers: tuple[str, ...], out: str | None) -> None:
    """Make the practice sheets of CODES again."""
    from kit.publish import orders

    _order(_folders(out), orders.order(orders.again(codes), langs, papers, "players"))


@main.command(name="key")
@click.argument("codes", nargs=-1, required=True)
@_lang
@_paper
@_out
def key_(codes: tuple[str, ...], langs: tuple[str, ...], papers: tuple[str, ...], out: str | None) -> None:
    """Make the host's keys of CODES again."""
    from kit.publish import orders

    _order(_folders(out), orders.order(orders.again(codes), langs, papers, "host"))


def _order(folders: Folders, order: Order) -> None:
    """Build practice sheets, and tell their files and their codes."""
    from kit.publish import build as builder
    from kit.publish import orders

    with _progress() as progress:
        outcome = builder.build(folders, order, progress=progress)
    for path in outcome.files:
        if path.endswith(".pdf"):
            click.echo(f"{folders.out / path}{'' if path in outcome.made else ' (up to date)'}")
    for code in orders.codes_of(order):
        click.echo(code)


class _Bank(click.Group):
    """A group whose first word may also be a game: `kit bank GAME KIND …` is `kit bank make GAME KIND …`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "-h", "--help"):
            args = ["make", *args]
        return super().parse_args(ctx, args)


@main.group(cls=_Bank)
def bank() -> None:
    """Make a bank of problems, or prove one: JSON Lines, one problem a line.

    \b
    kit bank rowoverflow a --count 100000 --out bank.jsonl
    kit bank verify bank.jsonl
    """


_workers = click.option("--workers", type=click.IntRange(0, 1024), default=0, help="Processes; one a core by default.")
_scheduler = click.option("--scheduler", default="", metavar="tcp://HOST:PORT", help="A dask cluster instead.")


@bank.command()
@click.argument("game")
@click.argument("kind")
@click.option("--count", type=int, required=True, help="Problems.")
@click.option("--out", required=True, type=click.Path(), help="The file; one that was begun is gone on with.")
@click.option("--level", type=int, help="1 (easy) to 5; all in turn by default.")
@click.option("--seed", type=int, default=1, help="Another number makes other problems; 1 by default.")
@_workers
@_scheduler
def make(
    game: str, kind: str, count: int, out: str, level: int | None, seed: int, workers: int, scheduler: str
) -> None:
    """Make COUNT problems of a KIND of GAME (also: kit bank GAME KIND)."""
    from functools import partial

    from kit.practice import bank as banks
    from kit.practice import pool

    if not out:
        raise Fault("--out names no file", "Name one", code=USAGE)
    _some(level=level)
    order = banks.order(game, kind.lower(), level=level or 0, seed=seed)
    defects: list[str] = []
    with _rate(out) as progress:
        there = banks.fill(Path(out), order, count, partial(pool.opened, workers, scheduler), progress, defects.append)
    click.echo(f"{out}: {there:,} problems")
    if defects:
        told = [Fault(f"left out, for the two engines disagree: {defect}", "Please report it") for defect in defects]
        raise Faults(told[:100])


@bank.command()
@click.argument("file", type=click.Path())
@_workers
@_scheduler
def verify(file: str, workers: int, scheduler: str) -> None:
    """Prove every line of a bank: made again, and solved again by the second engine."""
    from functools import partial

    from kit.practice import bank as banks
    from kit.practice import pool

    with _rate(file, goes_on=False) as progress:
        count, again = banks.verify(Path(file), partial(pool.opened, workers, scheduler), progress)
    made = "made and solved again" if again else "solved again, but of an older generator, so not made again"
    click.echo(f"{file}: {count:,} problems, {made}; all agree")


class _rate:
    """How many are done, how fast, and the time left: one line that changes on a terminal, now and then one in a pipe.

    Where it is interrupted it says how to go on.
    """

    def __init__(self, file: str, goes_on: bool = True) -> None:
        self.file, self.goes_on = file, goes_on
        self.there = sys.stderr.isatty()
        self.every = 0.2 if self.there else 30.0  # seconds
        self.done = self.first = 0
        self.began = self.told = 0.0

    def __enter__(self) -> Any:
        return self.show

    def show(self, done: int, total: int) -> None:
        now = time.monotonic()
        self.done = done
        if not self.told:
            self.began, self.first, self.told = now, done, now
        if now - self.told < self.every:
            return
        self.told = now
        rate = (done - self.first) / (now - self.began)
        left = f", {_long((total - done) / rate)} left" if rate and total > done else ""
        line = f"{done:,} of {total:,}, {rate:,.0f} a second{left}"
        with contextlib.suppress(OSError):
            print(
                f"\r{line}\x1b[K" if self.there else line, end="" if self.there else "\n", file=sys.stderr, flush=True
            )

    def __exit__(self, kind: Any, *_: object) -> None:
        with contextlib.suppress(OSError):
            if self.there and self.told:
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            if self.goes_on and kind in (KeyboardInterrupt, _Told):
                print(f"{self.file} has {self.done:,} problems; the same command goes on", file=sys.stderr, flush=True)


def _long(seconds: float) -> str:
    """A time as people say it."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


class _progress:
    """A bar on a terminal, plain lines in a pipe."""

    def __enter__(self) -> Any:
        self.bar: Any = None
        return self.show

    def show(self, done: int, total: int, what: str) -> None:
        if not sys.stderr.isatty():
            if what:
                print(f"[{done}/{total}] {what}", file=sys.stderr, flush=True)
            return
        if self.bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self.bar = Progress(
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.description}"),
                console=Console(stderr=True),
                transient=True,
            )
            self.bar.start()
            self.task = self.bar.add_task("", total=total)
        self.bar.update(self.task, completed=done, description=what)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()


@main.command()
@click.argument("name")
@click.option("--in", "content", type=click.Path(), help="Folder for it and its translations; made if not there.")
def new(name: str, content: str | None) -> None:
    """Begin a kit of your own: rules in Markdown, a deck, a score sheet; no engine.

    \b
    kit new stone-soup --in mygames
    kit build --content mygames
    """
    from kit.publish import scaffold

    if content is None and not Path("content").is_dir():
        raise Fault("there is no folder content here", "Say where with --in", code=USAGE)
    if content == "":
        raise Fault("--in names no folder", "Name one", code=USAGE)
    where, came_with = Path(content or "content"), _came_with()
    for line in scaffold.new(name, where, came_with / "templates", came_with / "content"):
        click.echo(line)
    click.echo(f"Now: kit build --content {where}" if content else f"Now: kit build {name}")


@main.command(name="list")
@_content
def list_(content: str | None) -> None:
    """Show the games, the languages and how complete they are, the kinds of sheet and the sizes."""
    from kit.publish import listing

    click.echo(listing.text(_folders(content=content)))


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
def proof(files: tuple[str, ...]) -> None:
    """Measure finished PDF FILES and print what was found."""
    from kit.publish import proofs

    good, faults = True, []
    for name in files:
        try:
            passed, text = proofs.table(Path(name))
        except Fault as fault:
            faults.append(fault)
            continue
        click.echo(text)
        good &= passed
    if faults:
        raise Faults(faults)
    if not good:
        raise click.exceptions.Exit(1)


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
def replay(files: tuple[str, ...]) -> None:
    """Play the records or conformance traces of FILES (JSON Lines, plain or gzip) again and compare."""
    from kit.publish import records

    for name in files:
        count, positions = records.replay(Path(name))
        click.echo(f"{name}: {count} records, {positions} positions, all agree")


@main.command()
@click.argument("game")
@click.option("--players", type=click.IntRange(1, 9), help="Seats; as few as the game takes by default.")
@click.option("--option", "options", multiple=True, metavar="NAME[=VALUE]", help="What the table agreed on; repeat it.")
@click.option("--seed", "--code", required=True, help="Any text; the same text is the same game, everywhere.")
@click.option("--record", "file", required=True, type=click.Path(), help="Where to; - is the terminal.")
@click.option("--check", is_flag=True, help="Add every position and its legal moves: a conformance trace.")
def play(game: str, players: int | None, options: tuple[str, ...], seed: str, file: str, check: bool) -> None:
    """Play a random game of GAME and write its record.

    \b
    kit play cascadebeta --option size=5 --seed 1 --record -
    kit play cascata --players 3 --option hidden_rows=4 --option multiplier --option lock=joker --seed 1 --record -
    kit play gridcannon --option empty_centre --option replace_one --seed 1 --check --record trace.jsonl
    """
    from kit.publish import records

    line = records.play(game, players, options, seed, check)
    if file == "-":
        click.echo(line, nl=False)
    else:
        records.write(Path(file), line)


@main.command(name="check")
@click.option("--rules", is_flag=True, help="Which rule is exercised, told, shown and practised where.")
@click.pass_context
def check_(context: click.Context, rules: bool) -> None:
    """Check what only people who work on kit need checked."""
    if not rules:
        raise click.UsageError("say what to check: --rules", context)
    from kit.publish import coverage

    folders = _folders()
    click.echo(coverage.markdown(folders.root, folders.content), nl=False)


@main.command()
def doctor() -> None:
    """Say what this machine lacks, and the cure."""
    from kit.doctor import examine, healthy

    findings = examine()
    for finding in findings:
        state = "good" if finding.ok else "BAD " if finding.needed else "none"
        click.echo(f"{state}  {finding.name}: {finding.found}")
        if not finding.ok:
            click.echo(f"      {finding.cure}")
    if not healthy(findings):
        raise click.exceptions.Exit(SURROUNDINGS)


@main.group()
def translate() -> None:
    """Keep the translations in step with their source."""


@translate.command()
@click.option("--check", is_flag=True, help="Only say whether the templates are fresh (exit 1 when not).")
@_content
def extract(check: bool, content: str | None) -> None:
    """Write content/locale/*.pot from the English source."""
    from kit.language import translate as tool

    where = _folders(content=content).content
    for line in tool.check(where) if check else tool.extract(where):
        click.echo(line)


@translate.command()
@click.argument("lang")
@_content
def update(lang: str, content: str | None) -> None:
    """Bring LANG's PO files up to the source; a new LANG gets its folder."""
    from kit.language import translate as tool
    from kit.publish import scaffold

    where = _folders(content=content).content
    begun = scaffold.bring_language(where, _came_with() / "content", lang) if content else []
    for line in dict.fromkeys(begun + tool.update(where, lang)):
        click.echo(line)


@translate.command()
@click.argument("langs", nargs=-1)
@_content
def status(langs: tuple[str, ...], content: str | None) -> None:
    """Count what is translated, stale and missing, and say where (exit 1 when anything is)."""
    from kit.language import translate as tool

    complete = True
    for lang, report in tool.status(_folders(content=content).content, langs):
        click.echo(f"{lang}: {report}")
        complete &= report.complete
    if not complete:
        raise click.exceptions.Exit(1)
