"""Functions in this process: what an import may see and change."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from local.function import Function
from local.runtime import InProcessRuntime

type Maker = Callable[[str], Function]


@pytest.fixture
def function_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Maker:
    """Make a function whose module holds some code."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "imported_room", raising=False)

    def make(code: str) -> Function:
        (tmp_path / "imported_room.py").write_text(code)
        handler = "imported_room.lambda_handler"
        return Function("Room", "Room", handler, tmp_path, (), (), timeout_s=1, memory_mb=128, environment={"OWN": "b"})

    return make


def test_an_import_sees_its_functions_variables_and_no_other_is_touched(
    function_of: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our own choice: handlers in other threads read the environment meanwhile, and a module may set its own."""
    monkeypatch.setenv("OWN", "a")
    monkeypatch.setenv("SET_BY_THE_MODULE", "")
    monkeypatch.delenv("AWS_LAMBDA_FUNCTION_NAME", raising=False)
    code = 'import os\nos.environ["SET_BY_THE_MODULE"] = "yes"\nSEEN = os.environ["OWN"]\n'
    handler = InProcessRuntime({}).load(function_of(code + "def lambda_handler(event, context): return SEEN\n"))
    assert handler({}, None) == "b"
    assert (os.environ["OWN"], os.environ["SET_BY_THE_MODULE"]) == ("a", "yes")
    assert "AWS_LAMBDA_FUNCTION_NAME" not in os.environ
