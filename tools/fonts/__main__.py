"""Cut both typefaces anew: `python -m tools.fonts FOLDER`, where npm put these in FOLDER:

npm install @fontsource-variable/atkinson-hyperlegible-next@5.3.0
npm install @fontsource-variable/fraunces@5.3.0
"""

import sys
from pathlib import Path

from tools.fonts import cut

if __name__ == "__main__":
    cut.main(Path(sys.argv[1]) / "node_modules" / "@fontsource-variable")
