"""Options → the session that they ask for."""

from __future__ import annotations

from datetime import date

from conformance.discover import find_reference, find_runner, may_share_process
from conformance.errors import InvalidOption
from conformance.execute import Session
from conformance.isolate import IsolatedRunner
from conformance.kept_reference import keeping
from conformance.load import load_standards, load_waivers
from conformance.options import DEFAULT_STANDARD, Options
from conformance.product import PRODUCTS, Product
from conformance.runner import Runner
from conformance.select import Limits
from conformance.waiver import CANN


def open_session(options: Options, *, keep: bool = False) -> Session:
    """The session of these options; raises InvalidOption, UnknownRunner or InvalidData.

    With ``keep`` answers of the reference are kept for later runs, and those of earlier ones are used.
    """
    product = product_of(options)
    standards, waivers = load_standards(), load_waivers(options.waivers)
    name = DEFAULT_STANDARD if options.standard is None else options.standard
    if name not in standards:
        raise InvalidOption(f"unknown standard {name!r}; standards are {', '.join(standards)}")
    reference = find_reference(options.reference)
    runner = _runner(options)
    versioned = any(waiver.cann is not None for waiver in waivers)
    return Session(
        runner=runner,
        reference=keeping(reference, options.golden_cache) if keep else reference,
        product=product,
        standard=standards[name],
        of_every_case=options.standard is not None,
        standards=standards,
        seed=options.seed,
        limits=Limits(options.max_elements, options.max_bytes),
        waivers=waivers,
        today=date.today(),
        cann=str(runner.describe().facts.get(CANN, "")) if versioned else "",
        deadline=options.deadline,
        repeat=options.repeat,
    )


def product_of(options: Options) -> Product:
    """The product that is judged; raises InvalidOption."""
    if options.product not in PRODUCTS:
        raise InvalidOption(f"unknown product {options.product!r}; products are {', '.join(PRODUCTS)}")
    return PRODUCTS[options.product]


def _runner(options: Options) -> Runner:
    """The runner in this process when it may be there; a class named by its path is built in a child only."""
    in_process = may_share_process(options.runner) if options.isolate is None else not options.isolate
    if in_process:
        return find_runner(options.runner, options.runner_options)
    isolated = IsolatedRunner(options.runner, options.runner_options)
    isolated.describe()
    return isolated
