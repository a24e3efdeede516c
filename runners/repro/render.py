"""A recipe as the text of a program, with the content of the file beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from conformance.call import Action, describe_steps
from conformance.tensor import GUARD_BYTE, GUARD_BYTES, INPUT_GAP_BYTE, SECOND_FILL_BYTE
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
    planned = [planned for making in recipe.makings for planned in making.steps]
    actions = {one.step.action for one in planned}
    return (
        _environment(form.language(attachment))
        .get_template(form.template)
        .render(
            recipe=recipe,
            name=name,
            api=recipe.main.call.api,
            steps=describe_steps(recipe.main.call.steps),
            attachment=attached,
            attachment_name=f"{name}.bin",
            guard_bytes=GUARD_BYTES,
            guard_byte=GUARD_BYTE,
            refill_byte=SECOND_FILL_BYTE,
            left_behind_byte=INPUT_GAP_BYTE,
            refills=Action.REFILL in actions and any(making.refilled for making in recipe.makings),
            runs=Action.RUN in actions,
            moves=Action.MOVE in actions,
            writes=any(not output.frozen for output in recipe.outputs),
            compares=any(not output.frozen and output.readable for output in recipe.outputs),
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
