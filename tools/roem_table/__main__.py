"""Work the tables out anew and write the modules: `python -m tools.roem_table`."""

from tools.roem_table import derive, hands

if __name__ == "__main__":
    derive.main()
    hands.main()

    # It reads the tables when it is imported.
    from tools.roem_table import phone

    phone.main()
