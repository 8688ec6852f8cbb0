"""`clew record`: the handoff record of a session or a file."""

import typer

app = typer.Typer(help="The handoff record of a session.")


@app.command("show")
def show() -> None:
    """Later."""
