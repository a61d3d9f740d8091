"""The rules stand on the ground floor."""

import subprocess
import sys

PROBE = """
import sys
import scoring.rules
print(*sorted({name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)))
"""


def test_importing_the_rules_loads_nothing_but_the_standard_library() -> None:
    answer = subprocess.run(
        [sys.executable, "-S", "-c", PROBE], capture_output=True, text=True, check=True
    )
    assert set(answer.stdout.split()) - {"__main__", "scoring"} == set()
