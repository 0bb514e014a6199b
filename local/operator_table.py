"""What the operators' commands share: their parser, and the table that they work on.

That is a deployed stack's, or the embedded one of a running `make run`.
"""

import argparse
import os
from typing import Any, NoReturn

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from local.errors import LocalError
from local.running import TABLE_VARIABLES, recall


class OperatorError(LocalError):
    """The command could not be done; says what the operator must change."""


class OperatorParser(argparse.ArgumentParser):
    """Says what is wrong with the words as the commands say everything else."""

    def error(self, message: str) -> NoReturn:
        """Refuse the words.

        Raises:
            OperatorError: always.
        """
        raise OperatorError(f"{message} ({self.format_usage().strip()})")


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """Give *parser* the options by which a table is named."""
    parser.add_argument("--stack", default="", help="the deployed stack's name")
    parser.add_argument("--table", default="", help="the table's name")


def operator_table(options: argparse.Namespace, logical_id: str) -> Any:
    """Return boto3's table *logical_id*, as *options*, the environment or a running `make run` name it.

    Raises:
        OperatorError: none of them does.
    """
    variable = TABLE_VARIABLES[logical_id]
    name = options.table or os.environ.get(variable, "")
    if options.stack:
        name = stack_output(options.stack, logical_id)
    if not name:
        variables = recall()
        if variables is None or variable not in variables:
            raise OperatorError("Which table? Give --stack or --table, or start `make run` beside this.")
        os.environ.update(variables)
        name = variables[variable]
    return boto3.resource("dynamodb").Table(name)


def stack_output(stack: str, output: str) -> str:
    """Return an output of a deployed stack.

    Raises:
        OperatorError: the stack cannot be read, or has no such output.
    """
    try:
        stacks = boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"]
    except (BotoCoreError, ClientError) as error:
        raise OperatorError(
            f"The stack {stack} could not be read ({type(error).__name__}): are your AWS credentials and region those "
            "of its account?"
        ) from error
    outputs = {found["OutputKey"]: found["OutputValue"] for found in stacks[0].get("Outputs", ())}
    if output not in outputs:
        raise OperatorError(f"The stack {stack} has no output {output}: is it samcp's?")
    return str(outputs[output])


def unusable(error: Exception) -> OperatorError:
    """Return what an operator is told when DynamoDB did not do as it was asked."""
    return OperatorError(
        f"The table could not be used ({type(error).__name__}): is `make run` still running, or are your AWS "
        "credentials for the stack's account and region?"
    )
