"""Work the table out anew and write both modules: `python -m tools.roem_table`."""

from tools.roem_table import derive, phone

if __name__ == "__main__":
    derive.main()
    phone.main()
