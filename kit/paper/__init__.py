"""Everything a ruler can measure: sizes, drawings, sheets, the flow of text, and the proof of the finished PDF."""
