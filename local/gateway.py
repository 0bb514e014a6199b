"""Answers one request as API Gateway and Lambda together would."""

import asyncio
import concurrent.futures
import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

from local.api import Api
from local.authorization import UNAUTHORIZED, RefusedError, event_for, principal_from
from local.crashes import crash_as_function_error
from local.errors import FunctionError, FunctionTimeoutError, PayloadTooLargeError
from local.event import Call, Exchange, proxy_event, request_context
from local.function import Function
from local.gateway_responses import GatewayError
from local.http_message import Request, Response, media_type
from local.mapping import Scope
from local.mock import Mock
from local.proxy_response import http_response
from local.routes import LambdaTarget, Match
from local.runtime import Runtime

INTEGRATION_TIMEOUT_S = 29.0
"""API Gateway waits no longer for a function. Source: API Gateway quotas, "Integration timeout for Regional APIs"."""

MAX_REQUEST_BYTES = 10 * 1024 * 1024
"""Source: API Gateway quotas, "Payload size"."""

log = logging.getLogger("local")


class Gateway:
    """One API and the functions behind it."""

    def __init__(
        self,
        api: Api,
        functions: Mapping[str, Function],
        runtime: Runtime,
        *,
        integration_timeout_s: float = INTEGRATION_TIMEOUT_S,
        principal: str = "",
    ) -> None:
        """Make a gateway; *principal* is who calls where no authorizer is, a developer's choice: "" is nobody."""
        self._developer = {"principalId": principal} if principal else None
        self.api = api
        self._functions = functions
        self._runtime = runtime
        self._timeout_s = integration_timeout_s

    async def answer(self, request: Request, call: Call) -> Response:
        """Return the answer, with the headers by which AWS names a request."""
        match = self._find(request)
        if match is None:
            response = self._refusal(GatewayError.MISSING_AUTHENTICATION_TOKEN, request, call)
        elif request.body is None:
            response = self._refusal(GatewayError.REQUEST_TOO_LARGE, request, call)
        else:
            response = await self._answer_route(Exchange(self.api, request, match, call))
        return response.with_headers((("x-amzn-RequestId", call.request_id), ("x-amz-apigw-id", call.extended_id)))

    def interrupted(self, request: Request, call: Call) -> Response:
        """Return the answer to a request whose function was not waited for."""
        return self._refusal(GatewayError.DEFAULT_5XX, request, call, status=503)

    def _find(self, request: Request) -> Match | None:
        """Return the route, with or without the stage in the path: the default domain has it, an own domain has not."""
        prefix = f"/{self.api.stage}/"
        inside = (
            self.api.routes.find(request.method, request.path.removeprefix(prefix[:-1]))
            if request.path.startswith(prefix)
            else None
        )
        return inside or self.api.routes.find(request.method, request.path)

    async def _answer_route(self, exchange: Exchange) -> Response:
        try:
            authorizer = await self._authorize(exchange)
            target = exchange.match.route.target
            if isinstance(target, Mock):
                return self._answer_mock(target, exchange)
            return await self._answer_function(target, exchange, authorizer)
        except RefusedError as refused:
            return self._refusal(refused.error, exchange.request, exchange.call, authorizer=refused.context)

    async def _authorize(self, exchange: Exchange) -> dict[str, Any] | None:
        name = exchange.match.route.authorizer
        if name is None:
            return None
        authorizer = self.api.authorizers[name]
        event = event_for(authorizer, exchange)
        try:
            answer = await self._invoke(authorizer.target, event, exchange.call)
        except (FunctionError, TimeoutError) as error:
            if str(error) == UNAUTHORIZED:
                raise RefusedError(GatewayError.UNAUTHORIZED) from error
            self._log_failure(authorizer.target, error)
            raise RefusedError(GatewayError.AUTHORIZER_FAILURE) from error
        return principal_from(answer, exchange)

    def _answer_mock(self, mock: Mock, exchange: Exchange) -> Response:
        kind = media_type(exchange.request.header("content-type"))
        if not mock.takes(kind):
            error = GatewayError.UNSUPPORTED_MEDIA_TYPE if mock.is_strict else GatewayError.DEFAULT_5XX
            return self._refusal(error, exchange.request, exchange.call, status=None if mock.is_strict else 500)
        return mock.answer(self._scope(exchange.request, request_context(exchange)))

    async def _answer_function(
        self, target: LambdaTarget, exchange: Exchange, authorizer: Mapping[str, Any] | None
    ) -> Response:
        request = exchange.request
        try:
            answer = await self._invoke(target, proxy_event(exchange, authorizer or self._developer), exchange.call)
            return http_response(
                answer, accept=request.header("accept"), binary_media_types=self.api.binary_media_types
            )
        except PayloadTooLargeError:
            return self._refusal(GatewayError.REQUEST_TOO_LARGE, request, exchange.call)
        except TimeoutError as error:
            self._log_failure(target, error)
            return self._refusal(GatewayError.INTEGRATION_TIMEOUT, request, exchange.call)
        except FunctionError as error:
            self._log_failure(target, error)
            return self._refusal(GatewayError.DEFAULT_5XX, request, exchange.call, status=502)

    async def _invoke(self, target: LambdaTarget, event: Mapping[str, Any], call: Call) -> Any:
        """Run the function in a thread, and stop waiting when the integration's or the function's time is over."""
        function = self._functions[target.function_name]
        work = in_thread(
            lambda: self._runtime.invoke(function, event, invoked_arn=target.invoked_arn, request_id=call.request_id),
        )
        try:
            return await asyncio.wait_for(work, min(self._timeout_s, function.timeout_s))
        except TimeoutError:
            if function.timeout_s < self._timeout_s:
                raise FunctionTimeoutError(f"Task timed out after {function.timeout_s} seconds") from None
            raise

    def _log_failure(self, target: LambdaTarget, error: FunctionError | TimeoutError) -> None:
        """Say in one line why a function's caller gets a 5xx."""
        if isinstance(error, TimeoutError):
            log.warning("%s did not answer within %g s", target.function_name, self._timeout_s)
        else:
            log.warning("%s failed: %s: %s", target.function_name, type(error).__name__, error.reason)

    def _refusal(
        self,
        error: GatewayError,
        request: Request,
        call: Call,
        *,
        status: int | None = None,
        authorizer: Mapping[str, Any] | None = None,
    ) -> Response:
        context = {
            "requestId": call.request_id,
            "stage": self.api.stage,
            "path": request.path,
            "httpMethod": request.method,
        }
        scope = self._scope(request, {**context, "authorizer": authorizer or {}})
        return self.api.gateway_responses.answer(error, scope, status=status)

    def _scope(self, request: Request, context: Mapping[str, Any]) -> Scope:
        return Scope(context, self.api.stage_variables, dict(request.headers))


def in_thread[T](work: Callable[[], T]) -> "asyncio.Future[T]":
    """Run *work* in a daemon thread: one that outlives its request must not keep the program from ending.

    The future's only exception is FunctionError.
    """
    outcome: concurrent.futures.Future[T] = concurrent.futures.Future()
    # From here on it cannot be cancelled: nobody may be waiting any more, but the thread still ends by itself.
    outcome.set_running_or_notify_cancel()

    def run() -> None:
        try:
            with crash_as_function_error("The function could not be run"):
                result = work()
        except FunctionError as error:
            outcome.set_exception(error)
        else:
            outcome.set_result(result)

    threading.Thread(target=run, daemon=True, name="function").start()
    return asyncio.wrap_future(outcome)
