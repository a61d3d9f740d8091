"""Work the tables out anew and write the modules: `python -m tools.roem_table`."""

from tools.roem_table import derive, hands, phone

if __name__ == "__main__":
    derive.main()
    hands.main()
    phone.main()
