"""What is measured: each has `serve()`, an async context manager that gives an ASGI app."""
