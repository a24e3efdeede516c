"""A recipe as the text of a program, with the content of the file beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from conformance.call import Action
from conformance.tensor import GUARD_BYTE, GUARD_BYTES, SECOND_FILL_BYTE
from runners.repro.cpp import Cpp
from runners.repro.python import Python
from runners.repro.recipe import Recipe
from runners.repro.spelling import Attachment, ctype, identifier, memory, view

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of program: its template, the ending of its file, and what spells its values."""

    template: str
    suffix: str
    language: Callable[[Attachment], Cpp | Python]


FORMS: Mapping[str, Form] = {
    "cpp": Form("program.cpp.jinja", ".cpp", Cpp),
    "ctypes": Form("program.py.jinja", ".py", Python),
}


@dataclass(frozen=True, slots=True)
class Program:
    """Source text, and the content of the file beside it (empty when none is needed)."""

    text: str
    attached: bytes


def render(recipe: Recipe, form: Form, name: str) -> Program:
    """The program; ``name`` is the stem of its file and of ``name.bin`` beside it."""
    attachment = Attachment()
    # Once to learn whether anything is attached, and once with that known.
    _render(recipe, form, name, attachment, attached=True)
    content = bytes(attachment.content)
    return Program(_render(recipe, form, name, Attachment(), attached=bool(content)), content)


def _render(recipe: Recipe, form: Form, name: str, attachment: Attachment, attached: bool) -> str:
    actions = [planned.step.action for planned in recipe.steps]
    return (
        _environment(form.language(attachment))
        .get_template(form.template)
        .render(
            recipe=recipe,
            name=name,
            api=recipe.call.api,
            attachment=attached,
            attachment_name=f"{name}.bin",
            guard_bytes=GUARD_BYTES,
            guard_byte=GUARD_BYTE,
            refill_byte=SECOND_FILL_BYTE,
            memory_names=_memory_names(recipe),
            refills=Action.REFILL in actions and bool(recipe.refilled),
            runs=Action.RUN in actions,
            writes=any(not output.frozen for output in recipe.outputs),
            compares=any(not output.frozen and output.readable for output in recipe.outputs),
            repeats=_ends_repeatable(actions),
        )
    )


def _environment(language: Cpp | Python) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters.update(
        storage=language.storage,
        extents=language.extents,
        dtype=language.dtype,
        string=language.string,
        create=language.create,
        destroy=language.destroy,
        arguments=language.arguments,
        answers=language.answers,
        ctype=ctype,
        identifier=identifier,
        view=view,
        memory=memory,
        hex=hex,
    )
    return environment


def _memory_names(recipe: Recipe) -> list[str]:
    """For each storage the name of the first tensor that lies in it."""
    named = [each for given in recipe.arguments for each in given.tensors if each is not None]
    return [next(n.name for n in named if n.memory == index) for index in range(len(recipe.storages))]


def _ends_repeatable(actions: Sequence[Action]) -> bool:
    """Whether the last executor is made repeatable, and so must be destroyed."""
    last = max((i for i, action in enumerate(actions) if action is Action.WORKSPACE), default=0)
    return Action.REPEATABLE in actions[last:]
