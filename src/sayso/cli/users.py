"""`sayso users`: who may sign in with a name and a password, and what their roles allow."""

from __future__ import annotations

import secrets
import sys
from typing import Annotated

import typer
from rich.table import Table

from sayso.cli.directory import Directory, with_directory
from sayso.cli.terms import HomeOption, SampleOption, fail, out, safe, say
from sayso.core.actors import VIEWER

app = typer.Typer(help='Users with names and passwords (for sign_in = "users"), and their roles.', no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(help="The user's name.")]
RoleOption = Annotated[list[str] | None, typer.Option("--role", help="viewer, operator, admin or one of your own.")]
NoPassword = Annotated[bool, typer.Option("--no-password", help="For one who has API tokens only, or a proxy.")]
Generate = Annotated[bool, typer.Option("--generate", help="Make a password up and print it, once.")]


@app.command()
def add(
    name: NameArgument,
    role: RoleOption = None,
    owner: Annotated[str, typer.Option(help="Whose records they work with: users of one owner share them.")] = "local",
    no_password: NoPassword = False,
    generate: Generate = False,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Add a user. The password is asked for, or read from standard input where that is no terminal."""

    async def do(directory: Directory) -> None:
        roles = role or [VIEWER.role]
        user = await directory.users.add(name, owner, roles, kept)
        await directory.told(f"user {user.id}", did="added", roles=list(roles), owner=owner)
        _print_once(made)
        say(f"{user.id} may sign in: {', '.join(roles)} over the records of {owner}.")

    made = secrets.token_urlsafe(18) if generate and not no_password else ""
    kept = None if no_password else _new_password(made)
    with_directory(home, do, sample=sample)


@app.command("list")
def list_users(sample: SampleOption = False, home: HomeOption = None) -> None:
    """Every user, their roles and owner."""

    async def do(directory: Directory) -> None:
        table = Table("name", "roles", "owner", "password", "state", box=None)
        for user in await directory.users.list():
            state = "disabled" if user.disabled else ""
            roles = ", ".join(user.roles)
            table.add_row(*map(safe, (user.id, roles, user.owner, "set" if user.password else "none", state)))
        out.print(table)

    with_directory(home, do, sample=sample)


@app.command()
def password(
    name: NameArgument, generate: Generate = False, sample: SampleOption = False, home: HomeOption = None
) -> None:
    """Give a user another password. Their sessions end."""

    async def do(directory: Directory) -> None:
        await directory.users.set_password(name, kept)
        await directory.told(f"user {name}", did="password")
        _print_once(made)
        say(f"{name} has another password; their sessions have ended.")

    made = secrets.token_urlsafe(18) if generate else ""
    kept = _new_password(made)
    with_directory(home, do, sample=sample)


@app.command()
def disable(
    name: NameArgument,
    undo: Annotated[bool, typer.Option("--undo", help="Let them in again.")] = False,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Let a user in no more: sessions end at once, and API tokens are refused."""

    async def do(directory: Directory) -> None:
        await directory.users.set_disabled(name, not undo)
        await directory.told(f"user {name}", did="enabled" if undo else "disabled")
        say(f"{name} may sign in again." if undo else f"{name} is disabled; their sessions have ended.")

    with_directory(home, do, sample=sample)


@app.command()
def roles(
    name: NameArgument,
    role: Annotated[list[str], typer.Argument(help="viewer, operator, admin or one of your own.")],
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Give a user these roles instead of those they have; it holds from their next request on."""

    async def do(directory: Directory) -> None:
        await directory.users.set_roles(name, role)
        await directory.told(f"user {name}", did="roles", roles=list(role))
        say(f"{name}: {', '.join(role)}.")

    with_directory(home, do, sample=sample)


def _print_once(made: str) -> None:
    """A password that was made up, once it holds: one that nobody can sign in with is never shown."""
    if made:
        out.print(made, soft_wrap=True)


def _new_password(made: str) -> str:
    """The hash of a new password: of the one that was made up, else of the one that is asked for."""
    from sayso.server.passwords import hashed

    if made:
        return hashed(made)
    if not sys.stdin.isatty():
        return hashed(sys.stdin.readline().rstrip("\r\n"))
    first = typer.prompt("Password", hide_input=True)
    if typer.prompt("Once more", hide_input=True) != first:
        fail("The two are not the same; nothing was changed.")
        raise typer.Exit(1)
    return hashed(first)
