"""What the documents point at is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_to_a_file(document: Path) -> None:
    text = re.sub(r"`[^`\n]+`", "", document.read_text("utf-8"))  # what is shown as code is no link
    links = re.findall(r"\]\(([^)#\s]+)", text)
    missing = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    assert not missing, f"{document.name} names {missing}"
