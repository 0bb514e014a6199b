"""Every error of the local gateway, and who reads it.

Exception
├── LocalError             -> the person at the terminal: one sentence, no traceback
│   ├── TemplateError          template.yaml holds what cannot be served here
│   ├── PortTakenError         another program listens there
│   └── ToolError              sam, cfn-lint or the emulator failed or is missing
└── FunctionError          -> the caller, as a 5xx gateway response; the terminal shows why
├── FunctionTimeoutError   the function's own Timeout passed
├── PayloadTooLargeError   the event is over Lambda's 6 MB
└── MalformedResponseError the function answered what API Gateway cannot render
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
    """The function crashed, at import or in its handler."""


class FunctionTimeoutError(FunctionError):
    """The function did not end within its own Timeout."""


class PayloadTooLargeError(FunctionError):
    """The event is larger than Lambda takes."""


class MalformedResponseError(FunctionError):
    """The function's answer is not a proxy response."""
