"""What assistants may ask over the Model Context Protocol: the same answers as the pages, read only."""
