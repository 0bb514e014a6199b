"""Every error of the local gateway, and who reads it.

    Exception
    ├── LocalError                 -> the person at the terminal: one sentence, no traceback
    │   ├── TemplateError              template.yaml holds what cannot be served here
    │   ├── PortTakenError             another program listens there
    │   └── ToolError                  sam or cfn-lint failed, or a program is missing
    └── FunctionError              -> the caller, as a gateway response; the terminal shows why
        ├── FunctionTimeoutError       502: the function's own Timeout passed
        ├── PayloadTooLargeError       413: the event is over Lambda's 6 MB
        └── MalformedResponseError     502: the function answered what API Gateway cannot render

Whatever else a function raises becomes a FunctionError in crashes.py.
"""


class LocalError(Exception):
    """Says, in one sentence, what to change before the command can go on."""


class TemplateError(LocalError):
    """The template is wrong, or asks for what the local gateway does not know."""


class PortTakenError(LocalError):
    """Another program listens on the port."""


class ToolError(LocalError):
    """A program that the command needs failed or is not installed."""


class FunctionError(Exception):
    """The function gave no answer: it crashed, at import or in its handler, or could not be run.

    Args:
        message: what is wrong, or the text of what the function raised.
        kind: the class of what the function raised; empty where *message* is ours.
    """

    def __init__(self, message: str, *, kind: str = "") -> None:
        super().__init__(message)
        self.reason = kind or message
        """What a log may hold: a function's own text may quote an argument."""


class FunctionTimeoutError(FunctionError):
    """The function did not end within its own Timeout."""


class PayloadTooLargeError(FunctionError):
    """The event is larger than Lambda takes."""


class MalformedResponseError(FunctionError):
    """The function's answer is not a proxy response."""
