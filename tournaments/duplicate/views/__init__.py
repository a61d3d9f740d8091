"""Pages of portefeuille: at the desk, and for everybody."""
