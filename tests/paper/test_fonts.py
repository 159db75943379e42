"""The bundled fonts: the right files, the characters we print, and no silent hole."""

import hashlib
import unicodedata
from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from kit.faults import SURROUNDINGS, Fault
from kit.paper import fonts, symbols

PRINTED = "ABCÅÄÖabcåäöéü0123456789 .,:;!?–—’”“„‚‘…·×−±°§½¼²%&/()[]@+=<>♠♥♦♣←→↑↓☐☑★✂①⑨⑩⑳\u2009\u202f\u2011\u00a0"


def test_every_file_is_the_one_in_the_list() -> None:
    listed = dict(line.split()[::-1] for line in (fonts.FOLDER / "SHA256SUMS").read_text().splitlines())
    assert set(listed) == set(fonts.FILES.values())
    for name, path in zip(fonts.FILES.values(), fonts.paths().values(), strict=True):
        assert hashlib.sha256(path.read_bytes()).hexdigest() == listed[name]


def test_kit_symbols_is_built_from_the_outlines_byte_for_byte() -> None:
    assert fonts.build_symbols() == (fonts.FOLDER / "KitSymbols.ttf").read_bytes()


def test_kit_symbols_has_a_drawn_glyph_for_each_shape() -> None:
    font = TTFont(BytesIO(fonts.data("symbols")))
    names = font.getBestCmap()
    for character in [*symbols.GLYPHS, *(chr(0x2460 + n) for n in range(20))]:
        assert font["glyf"][names[ord(character)]].numberOfContours > 0, unicodedata.name(character)
    assert font["name"].getDebugName(1) == fonts.SYMBOLS


@pytest.mark.parametrize("face", [face for face in fonts.FILES if face != "symbols"])
def test_what_we_print_is_covered_in_every_face(face: fonts.Face) -> None:
    assert fonts.missing(PRINTED, face) == set()


def test_a_glyph_that_no_font_has_is_a_fault_that_names_it() -> None:
    with pytest.raises(Fault, match=r"U\+6F22 CJK UNIFIED IDEOGRAPH-6F22.*U\+1F0CF"):
        fonts.runs("en joker 🃏 och 漢")


@pytest.mark.parametrize("liar", ["\u202e", "\u00ad", "\u200b", "\u0301", "\ufeff", "\x07"])
def test_invisible_and_turning_characters_are_faults(liar: str) -> None:
    with pytest.raises(Fault, match=f"U\\+{ord(liar):04X}"):
        fonts.runs(f"kort{liar}et")


@pytest.mark.parametrize("harm", ["changed", "gone"])
def test_a_damaged_or_missing_font_is_a_fault_of_the_surroundings(
    harm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in fonts.FOLDER.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    victim = tmp_path / fonts.FILES["bold"]
    if harm == "gone":
        victim.unlink()
    else:
        victim.write_bytes(victim.read_bytes() + b"\0")
    monkeypatch.setattr(fonts, "FOLDER", tmp_path)
    fonts.data.cache_clear()
    try:
        with pytest.raises(Fault) as caught:
            fonts.paths()
        assert caught.value.code == SURROUNDINGS
        assert caught.value.path == "AtkinsonHyperlegible-Bold.ttf"
    finally:
        fonts.data.cache_clear()


def test_runs_switch_to_kit_symbols_and_back() -> None:
    assert fonts.runs("Kn ♠ är", "bold") == (("bold", "Kn "), ("symbols", "♠"), ("bold", " är"))


def test_width_is_the_sum_of_the_font_s_own_advances() -> None:
    font = TTFont(BytesIO(fonts.data("italic")))
    names, em = font.getBestCmap(), font["head"].unitsPerEm
    wanted = sum(font["hmtx"][names[ord(c)]][0] for c in "Överskott 24") / em * 3.5
    assert fonts.width("Överskott 24", 3.5, "italic") == pytest.approx(wanted)


def test_tabular_digits_all_take_the_same_room() -> None:
    assert len({fonts.width(digit, 10, "regular") for digit in "0123456789"}) > 1
    assert len({fonts.width(digit, 10, "regular", tabular=True) for digit in "0123456789"}) == 1


def test_wrap_breaks_at_blanks_and_refuses_a_word_that_is_too_wide() -> None:
    lines = fonts.wrap("ett kort till varje rad på bordet", 20, 4)
    assert len(lines) > 1 and " ".join(lines) == "ett kort till varje rad på bordet"
    assert all(fonts.width(line, 4) <= 20 for line in lines)
    with pytest.raises(Fault, match="overflow"):
        fonts.wrap("ett overflowoverflowoverflow", 20, 4)


def test_the_style_sheet_names_our_own_families_and_files() -> None:
    css = fonts.font_face_css("typsnitt/")
    assert css.count("@font-face") == 6
    for name in fonts.FILES.values():
        assert f'url("typsnitt/{name}")' in css
        assert (fonts.FOLDER / name).is_file()
