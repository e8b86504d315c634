"""Games of other packages, called through a guard: what they raise by mistake becomes a sentence that names them.

    game = guarded(GAME, "my-package")
    game.placement(state)                    # raises PackageError instead of a KeyError of theirs
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from functools import wraps
from types import new_class
from typing import Any, TypeVar

from companion.engine import AnyGame, Ply
from companion.errors import CompanionError, IllegalError, PackageError, phrase

T = TypeVar("T")


def guarded(game: AnyGame, package: str) -> AnyGame:
    """The same game, of the same abilities, every public method of which raises nothing but `CompanionError`."""
    own = type(game)

    def get(self: AnyGame, name: str) -> Any:
        found = own.__getattribute__(self, name)
        if name.startswith("_") or not callable(found) or isinstance(found, type):
            return found
        watched = _watched(found, name, package)
        return _checked_apply(watched, self, package) if name == "apply" else watched

    names = {"__slots__": (), "__module__": own.__module__, "__getattribute__": get}
    twin = copy(game)  # its class is one of the game's own kind, so that `isinstance` tells its abilities
    object.__setattr__(twin, "__class__", new_class(own.__name__, (own,), exec_body=lambda body: body.update(names)))
    return twin


def _watched(method: Callable[..., T], name: str, package: str) -> Callable[..., T]:
    @wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            answer = method(*args, **kwargs)
        except CompanionError:
            raise
        except Exception as error:
            raise _failed(package, name, error) from error
        return _watched_items(answer, name, package) if isinstance(answer, Iterator) else answer

    return call


def _watched_items(items: Iterator[T], name: str, package: str) -> Iterator[T]:
    try:
        yield from items
    except CompanionError:
        raise
    except Exception as error:
        raise _failed(package, name, error) from error


def _checked_apply(
    apply: Callable[[Any, Ply[Any]], Any], game: AnyGame, package: str
) -> Callable[[Any, Ply[Any]], Any]:
    """`apply` that tells a game which refuses what it lists as legal."""

    def checked(state: Any, ply: Ply[Any]) -> Any:
        try:
            return apply(state, ply)
        except IllegalError as error:
            if any(ply == listed for listed in game.legal(state)):
                told = phrase("package.contradicts_itself", package=package, given=str(ply.action))
                raise PackageError(told) from error
            raise

    return checked


def _failed(package: str, name: str, error: Exception) -> PackageError:
    given = f"{type(error).__name__}: {error}"[:200]
    return PackageError(phrase("package.failed", package=package, method=name, given=given))
