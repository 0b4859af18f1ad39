"""`sayso tokens`: API tokens for scripts and other services, each with scopes and an end."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from sayso.cli.compose import LOCAL_USER
from sayso.cli.directory import Directory, with_directory
from sayso.cli.terms import HomeOption, SampleOption, err, out, safe, say
from sayso.store.ports import now_utc

app = typer.Typer(help="API tokens: Authorization: Bearer TOKEN.", no_args_is_help=True)


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="What it is for, so that you know it again.")],
    scope: Annotated[
        list[str] | None,
        typer.Option("--scope", help="What it may do, at most what its user may: read:* is the default."),
    ] = None,
    user: Annotated[str, typer.Option(help="Whom it acts for.")] = LOCAL_USER.id,
    days: Annotated[int, typer.Option(help="How long it is good for.")] = 90,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Make an API token. It is printed once, and kept as a digest only."""
    from sayso.server.tokens import new_token

    async def do(directory: Directory) -> None:
        if user == LOCAL_USER.id:
            await directory.ensure_local()
        token, text = await new_token(directory.users, user, name, scope or ["read:*"], now_utc(), days)
        await directory.told(f"token {token.id}", did="added", user=token.user_id, scopes=list(token.scopes))
        out.print(text, soft_wrap=True)
        who, scopes = safe(token.user_id), safe(", ".join(token.scopes))
        may = f"all that {who} may" if token.scopes == ("*",) else f"{scopes}, at most what {who} may,"
        err.print(f"It allows {may} until {token.expires[:10]}. It is not shown again.", soft_wrap=True)

    with_directory(home, do, sample=sample)


@app.command("list")
def list_tokens(
    user: Annotated[str | None, typer.Option(help="Only those of this user.")] = None,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Every API token, the newest first; never its secret."""

    async def do(directory: Directory) -> None:
        table = Table("id", "user", "for", "scopes", "until", "last used", "state", box=None)
        for t in await directory.users.tokens(user):
            state = "revoked" if t.revoked else "" if t.expires > now_utc().isoformat() else "expired"
            used = t.last_used[:16].replace("T", " ") or "never"
            table.add_row(*map(safe, (t.id, t.user_id, t.name, ", ".join(t.scopes), t.expires[:10], used, state)))
        out.print(table)

    with_directory(home, do, sample=sample)


@app.command()
def revoke(
    token: Annotated[str, typer.Argument(help="Its id, as `sayso tokens list` shows it.")],
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """End an API token, at once and for good."""

    async def do(directory: Directory) -> None:
        ended = await directory.users.revoke(token)
        await directory.told(f"token {ended.id}", did="revoked", user=ended.user_id)
        say(f"{ended.name} ({ended.id}) is revoked.")

    with_directory(home, do, sample=sample)
