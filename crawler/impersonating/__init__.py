"""TLS and HTTP as the browser speaks them as which a site is asked."""
