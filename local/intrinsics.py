"""CloudFormation's intrinsic functions, resolved to plain values.

Source: AWS CloudFormation User Guide, "Intrinsic function reference"; what is not in `Resolver.FUNCTIONS` is refused.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from local.errors import TemplateError

ACCOUNT = "123456789012"
"""The account every local ARN names; AWS uses the same one in its documentation."""

REGION = "us-east-1"
"""The region of the embedded AWS and of every local ARN."""

PSEUDO_PARAMETERS: Mapping[str, str] = {
    "AWS::AccountId": ACCOUNT,
    "AWS::Partition": "aws",
    "AWS::Region": REGION,
    "AWS::StackName": "samcp-local",
    "AWS::URLSuffix": "amazonaws.com",
}
"""What CloudFormation itself sets."""

NO_VALUE = object()
"""`AWS::NoValue`: whatever holds it is left out."""

_PLACEHOLDER = re.compile(r"\$\{(!?)([^}]+)\}")


class References(Protocol):
    """Knows what a resource of the template is called here."""

    def ref(self, logical_id: str) -> Any:
        """Return what `!Ref` gives for a resource."""

    def attribute(self, logical_id: str, name: str) -> Any:
        """Return what `!GetAtt` gives for a resource."""


class Resolver:
    """Resolves values of one template with one set of parameters."""

    def __init__(
        self,
        parameters: Mapping[str, Any],
        conditions: Mapping[str, Any],
        mappings: Mapping[str, Any],
        references: References,
    ) -> None:
        self.parameters = {**PSEUDO_PARAMETERS, **parameters}
        self.references = references
        self._conditions = conditions
        self._mappings = mappings

    def resolve(self, value: Any) -> Any:
        """Return *value* with every intrinsic function in it replaced.

        Raises:
            TemplateError: a function, a name or an attribute is not known here.
        """
        if isinstance(value, list):
            return [item for item in map(self.resolve, value) if item is not NO_VALUE]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            name = next(iter(value))
            if name in self.FUNCTIONS:
                return self.FUNCTIONS[name](self, value[name])
            if name.startswith("Fn::"):
                raise TemplateError(f"template.yaml uses {name}, which the local gateway does not know.")
        resolved = {key: self.resolve(item) for key, item in value.items()}
        return {key: item for key, item in resolved.items() if item is not NO_VALUE}

    def condition(self, name: str) -> bool:
        """Tell whether the condition called *name* holds."""
        if name not in self._conditions:
            raise TemplateError(f"template.yaml has no condition {name}.")
        return bool(self.resolve(self._conditions[name]))

    def _ref(self, name: str) -> Any:
        if name == "AWS::NoValue":
            return NO_VALUE
        return self.parameters[name] if name in self.parameters else self.references.ref(name)

    def _get_att(self, target: Any) -> Any:
        logical_id, attribute = target.split(".", 1) if isinstance(target, str) else target
        return self.references.attribute(logical_id, self.resolve(attribute))

    def _sub(self, argument: Any) -> str:
        text, names = argument if isinstance(argument, list) else (argument, {})

        def replace(match: re.Match[str]) -> str:
            literal, name = match.groups()
            if literal:
                return f"${{{name}}}"
            if name in names:
                return str(self.resolve(names[name]))
            return str(self._get_att(name) if "." in name else self._ref(name))

        return _PLACEHOLDER.sub(replace, text)

    def _if(self, argument: list[Any]) -> Any:
        name, when_true, when_false = argument
        return self.resolve(when_true if self.condition(name) else when_false)

    def _equals(self, argument: list[Any]) -> bool:
        left, right = self.resolve(argument)
        return str(left) == str(right)

    def _find_in_map(self, argument: list[Any]) -> Any:
        table, first, second = self.resolve(argument)
        try:
            return self.resolve(self._mappings[table][first][second])
        except KeyError:
            raise TemplateError(f"template.yaml has no {table}.{first}.{second} under Mappings.") from None

    def _join(self, argument: list[Any]) -> str:
        return str(argument[0]).join(str(item) for item in self.resolve(argument[1]))

    def _select(self, argument: list[Any]) -> Any:
        return self.resolve(argument[1])[int(self.resolve(argument[0]))]

    def _split(self, argument: list[Any]) -> list[str]:
        return str(self.resolve(argument[1])).split(argument[0])

    FUNCTIONS: Mapping[str, Callable[["Resolver", Any], Any]] = {
        "Ref": _ref,
        "Condition": condition,
        "Fn::GetAtt": _get_att,
        "Fn::Sub": _sub,
        "Fn::If": _if,
        "Fn::Equals": _equals,
        "Fn::Not": lambda self, argument: not self.resolve(argument[0]),
        "Fn::And": lambda self, argument: all(self.resolve(argument)),
        "Fn::Or": lambda self, argument: any(self.resolve(argument)),
        "Fn::Join": _join,
        "Fn::Select": _select,
        "Fn::Split": _split,
        "Fn::FindInMap": _find_in_map,
    }
    """Each takes the resolver and the function's argument, not yet resolved."""
