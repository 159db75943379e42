"""`make bench`: everything that is measured, as the tables of docs/benchmarks.md. A quiet machine gives better ones."""

from __future__ import annotations

import os

from bench import builds, engines, problems

load = os.getloadavg()[0]
print(f"Load {load:.1f} on {os.cpu_count()} cores.\n")
engines.main(())
print()
builds.main()
print()
problems.main(())
print()
problems.main(("bank",))
