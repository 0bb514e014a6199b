"""The Lambda functions of a template: where their code is and how they are set."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local.errors import TemplateError
from local.template import LOCAL_BUCKET, Template


@dataclass(frozen=True, slots=True)
class Function:
    """One function, as its configuration on AWS would say."""

    logical_id: str
    name: str
    handler: str
    """Module and attribute, dotted: `functions.lab.app.lambda_handler`."""
    import_root: Path
    """The folder that the handler's module is found from."""
    layers: tuple[Path, ...]
    """Folders of its layers, in order, as the template names them."""
    layer_ids: tuple[str, ...]
    """The layers' logical ids in template.yaml, in order."""
    timeout_s: int
    memory_mb: int
    environment: Mapping[str, str]


def functions_of(template: Template) -> dict[str, Function]:
    """Return every function of *template* by its physical name.

    Raises:
        TemplateError: one has no local code, or no ParentPackages.
    """
    layers = _layers(template)
    found = (
        _function(template, logical_id, resource, layers)
        for logical_id, resource in template.resources("AWS::Lambda::Function")
    )
    return {function.name: function for function in found}


def room_of(function: Function) -> str:
    """Return the folder of functions/ that the handler is in; "" where the handler is elsewhere."""
    parts = function.handler.split(".")
    return parts[1] if len(parts) == 4 else ""


def _function(
    template: Template, logical_id: str, resource: Mapping[str, Any], layers: Mapping[str, tuple[str, Path]]
) -> Function:
    properties = template.resolver.resolve(resource["Properties"])
    attached = [layers[layer] for layer in properties.get("Layers", []) if layer in layers]
    return Function(
        logical_id=logical_id,
        name=template.ids.ref(logical_id),
        handler=properties["Handler"],
        import_root=_import_root(template, logical_id, resource),
        layers=tuple(path for _, path in attached),
        layer_ids=tuple(layer_id for layer_id, _ in attached),
        timeout_s=int(properties.get("Timeout", 3)),
        memory_mb=int(properties.get("MemorySize", 128)),
        environment={
            name: str(value) for name, value in properties.get("Environment", {}).get("Variables", {}).items()
        },
    )


def _import_root(template: Template, logical_id: str, resource: Mapping[str, Any]) -> Path:
    folder = _local_folder(template, resource["Properties"]["Code"])
    packages = resource.get("Metadata", {}).get("BuildProperties", {}).get("ParentPackages")
    if folder is None or packages is None:
        # Without its packages, two functions' `app` modules would be one module in one process.
        raise TemplateError(
            f"{logical_id} needs a local CodeUri and Metadata: BuildProperties: ParentPackages to be served here."
        )
    return folder.parents[len(packages.split(".")) - 1]


def _layers(template: Template) -> dict[str, tuple[str, Path]]:
    """Return ARN -> (logical id in template.yaml, folder) of each layer the template builds."""
    found = {}
    for logical_id, resource in template.resources("AWS::Lambda::LayerVersion"):
        folder = _local_folder(template, resource["Properties"]["Content"])
        if folder is not None:
            # The translator adds ten hexadecimal digits: a changed layer is a new resource.
            found[template.ids.ref(logical_id)] = (logical_id[:-10], folder)
    return found


def _local_folder(template: Template, code: Mapping[str, Any]) -> Path | None:
    if code.get("S3Bucket") != LOCAL_BUCKET:
        return None
    return template.root / str(code["S3Key"])
