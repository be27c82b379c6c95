"""Pages whose text scripts make, read as a browser shows them."""
