"""template.yaml as AWS would deploy it: translated from SAM to CloudFormation, its parameters filled in."""

import hashlib
import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from local.errors import TemplateError
from local.intrinsics import REGION, Resolver
from local.physical_ids import PhysicalIds

LOCAL_BUCKET = "local-folder"
"""Stands in the translated template where a deployment would have the S3 bucket of the code."""

_CODE_KEYS = ("CodeUri", "ContentUri")


@dataclass(frozen=True, slots=True)
class Template:
    """One template, translated."""

    root: Path
    """The folder the template is in: what `CodeUri` is relative to."""
    body: Mapping[str, Any]
    """The CloudFormation template."""
    ids: PhysicalIds
    resolver: Resolver

    def resources(self, resource_type: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield logical id and resource, unresolved, of each resource of a type whose condition holds."""
        for logical_id, resource in self.body["Resources"].items():
            if resource["Type"] == resource_type and self._is_wanted(resource):
                yield logical_id, resource

    def _is_wanted(self, resource: Mapping[str, Any]) -> bool:
        return "Condition" not in resource or self.resolver.condition(resource["Condition"])


def load_template(path: Path, parameters: Mapping[str, str] | None = None, *, cache: Path | None = None) -> Template:
    """Read, translate and prepare the template at *path*; *parameters* override its defaults.

    Args:
        path: template.yaml.
        parameters: those the template does not declare are ignored.
        cache: a folder that keeps translations: the translator alone takes 0.8 s to import.

    Raises:
        TemplateError: it is not there, not YAML, or not a valid SAM template.
    """
    text = _read(path)
    body = _cached(cache / _digest(text, parameters), text, parameters) if cache else translate(text, parameters)
    values = _values(body.get("Parameters", {}), parameters)
    ids = PhysicalIds(body["Resources"])
    resolver = Resolver(values, body.get("Conditions", {}), body.get("Mappings", {}), ids)
    ids.resolve = resolver.resolve
    return Template(path.parent.resolve(), body, ids, resolver)


def translate(text: str, parameters: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the CloudFormation template of a SAM template; its folders of code become keys of `LOCAL_BUCKET`.

    Raises:
        TemplateError: it is not YAML, or the translator refuses it.
    """
    source = _parse(text)
    os.environ.setdefault("AWS_DEFAULT_REGION", REGION)
    # Imported late: 0.8 s that only these callers pay.
    from samtranslator.model.exceptions import (  # type: ignore[import-untyped]  # noqa: PLC0415 - no types; slow
        InvalidDocumentException,
    )
    from samtranslator.translator.transform import (  # type: ignore[import-untyped]  # noqa: PLC0415 - no types; slow
        transform,
    )

    # It warns of metrics, which only AWS's own service publishes.
    logging.getLogger("samtranslator").setLevel(logging.ERROR)
    for resource in source.get("Resources", {}).values():
        _point_to_local_code(resource.get("Properties", {}))
    try:
        translated: dict[str, Any] = transform(
            source, _values(source.get("Parameters", {}), parameters), _NoManagedPolicies()
        )
    except InvalidDocumentException as error:
        raise TemplateError("template.yaml: " + " ".join(str(cause.message) for cause in error.causes)) from error
    return translated


class _NoManagedPolicies:
    """The translator asks for AWS's policies by name; SAM's own ARNs need no list."""

    def load(self) -> dict[str, str]:
        return {}


def _point_to_local_code(properties: dict[str, Any]) -> None:
    for key in _CODE_KEYS:
        if isinstance(properties.get(key), str) and not properties[key].startswith("s3://"):
            properties[key] = f"s3://{LOCAL_BUCKET}/{properties[key].removeprefix('./')}"


def _values(declared: Mapping[str, Any], given: Mapping[str, str] | None) -> dict[str, Any]:
    values = {name: parameter["Default"] for name, parameter in declared.items() if "Default" in parameter}
    return values | {name: value for name, value in (given or {}).items() if name in declared}


def _digest(text: str, parameters: Mapping[str, str] | None) -> str:
    key = [text, sorted((parameters or {}).items()), version("aws-sam-translator")]
    return hashlib.sha256(json.dumps(key).encode()).hexdigest()[:16] + ".json"


def _cached(kept: Path, text: str, parameters: Mapping[str, str] | None) -> dict[str, Any]:
    # Missing, damaged or unreadable: the template itself is still there.
    with suppress(OSError, ValueError):
        found = json.loads(kept.read_text(encoding="utf-8"))
        if isinstance(found, dict) and "Resources" in found:
            return found
    body = translate(text, parameters)
    # A disk that is full or read-only costs the next start two seconds, not this one its life.
    with suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        # Renamed into place: a second process never reads half a file.
        fresh = kept.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(body), encoding="utf-8")
        fresh.replace(kept)
    return body


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TemplateError(f"{path.name} cannot be read: {error}.") from error


def _parse(text: str) -> dict[str, Any]:
    from samtranslator.yaml_helper import yaml_parse  # type: ignore[import-untyped]  # noqa: PLC0415 - no types; slow
    from yaml import YAMLError  # noqa: PLC0415 - comes with the one above

    try:
        source = yaml_parse(text)
    except (ValueError, YAMLError) as error:
        raise TemplateError(f"template.yaml is not YAML: {error}") from error
    if not isinstance(source, dict) or not isinstance(source.get("Resources"), dict):
        raise TemplateError("template.yaml has no Resources.")
    return source
