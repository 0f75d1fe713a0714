"""The process protocol: what the parent and an implementation's process write to each other, one JSON object a line.

The child speaks first, with one greeting:

    {"protocol": 1, "language": 1, "identity": {"name": ..., "version": ..., "details": {}}, "capabilities": {}}

or, when it cannot start, {"protocol": 1, "error": "a sentence"}. Then each line it reads asks for one program:

    {"id": "9f86d081884c7d65", "program": {"version": 1, "steps": [...]}}

and gets exactly one line back, in the order asked, with one observation per step:

    {"id": "9f86d081884c7d65", "observations": [{"saw": "done"}, ...]}

or {"id": ..., "error": "why this is no program"}. A child may read the next line whenever it likes; the parent keeps
several in flight. With "trace": true in the request, the child also writes {"id": ..., "step": k, "observation": {...}}
as soon as step k is over: so the parent learns which step kills a process. A child that ignores "trace" is fine. After
"last": true in an answer, the child ends and another is started. The child ends when its input does.

Two more requests are for children that have a registry of gradient functions; others ignore the first and refuse the
second. With "gradients": true in a request, the answer names the kernels whose gradient function was called,
"gradients": ["Mul", "Sin"]. And {"id": "kernels", "kernels": true} is answered by every kernel that has a
gradient function, with the reason why it cannot run there: {"id": "kernels", "kernels": {"Mul": "", "Enter": "..."}}.
"""

from __future__ import annotations

from typing import Any

from adapters.backend import Capabilities, Identity, capabilities_of
from adapters.json_values import Json, ProgramError, expect
from adapters.language import LANGUAGE_VERSION
from adapters.observations import Observation
from adapters.program_json import observation_from_json, observation_to_json

PROTOCOL_VERSION = 1
TRACE = ',"trace":true'
GRADIENTS = ',"gradients":true'
KERNELS = '{"id":"kernels","kernels":true}'


def greeting(identity: Identity, capabilities: Capabilities) -> Json:
    """The child's first line."""
    who = {"name": identity.name, "version": identity.version, "details": identity.details}
    claims = claims_of(capabilities)
    return {"protocol": PROTOCOL_VERSION, "language": LANGUAGE_VERSION, "identity": who, "capabilities": claims}


def claims_of(capabilities: Capabilities) -> dict[str, Json]:
    """Capabilities as a greeting states them, and as `backend.capabilities_of` reads them."""
    claims: dict[str, Json] = {
        "traced": capabilities.traced,
        "errors": capabilities.errors,
        "warnings": capabilities.warnings,
    }
    for name in ("ops", "features", "dtypes"):
        named = getattr(capabilities, name)
        if named is not None:
            claims[name] = sorted(named)
    return claims


def read_greeting(data: Json) -> tuple[Identity, Capabilities]:
    """Who greeted, and what it claims. ProgramError when the greeting is none, or of another version."""
    expect(type(data) is dict and "protocol" in data, "its first line is no greeting")
    expect(type(data.get("error", "")) is str, "its first line is no greeting")
    expect("error" not in data, str(data.get("error")))
    version = data["protocol"]
    expect(version == PROTOCOL_VERSION, f"it speaks version {version!r} of the protocol, not {PROTOCOL_VERSION}")
    language = data.get("language")
    expect(
        type(language) is int and language >= LANGUAGE_VERSION,
        f"it reads version {language!r} of the language, not {LANGUAGE_VERSION}",
    )
    who, claimed = data.get("identity"), data.get("capabilities", {})
    expect(type(who) is dict and type(claimed) is dict, "its greeting does not say who it is")
    details = who.get("details", {})
    expect(type(details) is dict, "its greeting's details are no object")
    identity = Identity(
        str(who.get("name")), str(who.get("version")), {str(key): str(value) for key, value in details.items()}
    )
    return identity, _capabilities(claimed)


def _capabilities(claimed: dict[str, Json]) -> Capabilities:
    for name in ("ops", "features", "dtypes"):
        expect(type(claimed.get(name, [])) is list, f"the capability {name!r} is no list of words")
    try:
        return capabilities_of(claimed, "its greeting's capabilities")
    except ValueError as fault:
        raise ProgramError(str(fault)) from fault


def request(name: str, program_text: str, trace: bool = False, gradients: bool = False) -> str:
    """The line that asks for a program, given as `dumps` spells it."""
    return f'{{"id":"{name}","program":{program_text}{TRACE if trace else ""}{GRADIENTS if gradients else ""}}}'


def answer(
    name: str, observations: tuple[Observation, ...], last: bool = False, gradients: tuple[str, ...] = ()
) -> Json:
    """The line that answers it."""
    said: dict[str, Json] = {"id": name, "observations": [observation_to_json(each) for each in observations]}
    if gradients:
        said["gradients"] = list(gradients)
    if last:
        said["last"] = True
    return said


def read_observations(data: Json, steps: int) -> tuple[Observation, ...]:
    """The observations of an answer to a program of `steps` steps. ProgramError when it is no such answer."""
    expect("error" not in data, f"it refused the program: {data.get('error')}")
    listed = data.get("observations")
    expect(type(listed) is list, "its answer has no observations")
    expect(len(listed) == steps, f"it answered {len(listed)} observations to {steps} steps")
    return tuple(observation_from_json(each) for each in listed)


def read_gradients(data: Json) -> frozenset[str]:
    """The kernels that an answer names. ProgramError where they are no list of names."""
    named = data.get("gradients", [])
    expect(type(named) is list and all(type(one) is str for one in named), "its answer's gradients are no names")
    return frozenset(named)


def read_kernels(data: Json) -> dict[str, str]:
    """Kernels with a gradient function, and why each cannot run there. ProgramError when the answer has none."""
    told = data.get("kernels")
    expect(type(told) is dict, "it has no registry of gradient functions that can be asked")
    return {str(name): str(reason) for name, reason in told.items()}


def error_text(error: BaseException) -> str:
    """An exception in one line."""
    return f"{type(error).__name__}: {error}".replace("\n", " ") if not isinstance(error, ProgramError) else str(error)


def as_dict(data: Any) -> dict[str, Json]:
    """`data` if it is a JSON object; ProgramError otherwise."""
    expect(type(data) is dict, "the line is no JSON object")
    return data
