"""The lazy group, and how every error reaches the user: a message and an exit code."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import json
import os
import pkgutil
import sys
from pathlib import Path
from typing import Any

import click

from portability import __version__
from portability.errors import PortabilityError

__all__ = ["main"]


class LazyGroup(click.Group):
    """Finds a command as the module of its name; a trailing ``_`` keeps Python's names free."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        folder = Path(__file__).parent
        names = [module.name for module in pkgutil.iter_modules([str(folder)])]
        return sorted(name.rstrip("_") for name in names if not name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        for module in (cmd_name, f"{cmd_name}_"):
            if importlib.util.find_spec(f"portability.cli.{module}"):
                command = importlib.import_module(f"portability.cli.{module}").command
                assert isinstance(command, click.Command)
                return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            close = difflib.get_close_matches(args[0], known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
            ctx.fail(f"no such command {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="portability")
def group() -> None:
    """In which programming model does a scientific code run well on every GPU?

    \b
    portability doctor              what this machine can build and run
    portability run quickstart      build, run, verify and report on this machine
    portability plan paper          what a study asks, before anything is done
    """


def main(argv: list[str] | None = None) -> None:
    """Entry point.  Exit 0: done; 1: the work failed; 2: bad input; 130: interrupted."""
    argv = sys.argv[1:] if argv is None else argv
    sys.exit(_run(argv))


def _run(argv: list[str]) -> int:
    as_json = "--json" in argv
    try:
        code: Any = group.main(argv, prog_name="portability", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        if as_json:
            _document(error.format_message(), error.exit_code)
        error.show()
        return error.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("interrupted; what is finished is recorded, the same command goes on", err=True)
        return 130
    except PortabilityError as error:
        return _fail(str(error), error.exit_code, as_json)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}", 1, as_json)
    except Exception as error:
        if os.environ.get("PORTABILITY_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        return _fail(
            f"a mistake in portability itself: {what}\n"
            "please report it with the output of the same command under PORTABILITY_DEBUG=1",
            1,
            as_json,
        )


def _fail(message: str, code: int, as_json: bool) -> int:
    if as_json:
        _document(message, code)
    click.echo(f"{click.style('error:', fg='red', bold=True)} {message}", err=True)
    return code


def _document(message: str, code: int) -> None:
    click.echo(json.dumps({"error": {"message": message, "exit_code": code}}, indent=1))
