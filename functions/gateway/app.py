"""The `gateway` server: seven `smart_*` tools, counted, paid for and audited. It answers nobody without a key."""

import os
import time
from typing import Any

from functions.gateway.memory_table import MemoryTable
from functions.gateway.server import GatewayMCPServer
from functions.gateway.settings import Settings
from functions.gateway.smart_budget_guard import SmartBudgetGuard
from functions.gateway.smart_context_gate import SmartContextGate
from functions.gateway.smart_dedup import SmartDedup
from functions.gateway.smart_memory import SmartMemory
from functions.gateway.smart_pipe import SmartPipe
from functions.gateway.smart_tool import SmartTool
from functions.gateway.tokens import count_tokens
from functions.gateway.web_settings import WebSettings
from functions.gateway.web_tools import smart_fetch_of, smart_search_of
from governance.audit_table import AuditTable
from governance.counters import CounterTable
from governance.governed import Governance
from governance.store import governance_table
from mcpserver import http_handler

count_tokens("")  # Loads the vocabulary, 0.4 s: into the snapshot, and not in somebody's first call.
settings = Settings.model_validate(dict(os.environ))
counters = CounterTable(governance_table(settings.counters_table), now_s=time.time)
audit = AuditTable(governance_table(settings.audit_table), keep_days=settings.audit_days)
memory = MemoryTable(governance_table(settings.memory_table))
web = WebSettings.model_validate(dict(os.environ))
tools: list[SmartTool[Any]] = [
    smart_fetch_of(web),
    smart_search_of(web),
    SmartContextGate(),
    SmartDedup(),
    SmartBudgetGuard(),
    SmartMemory(memory, now_s=time.time),
]
server = GatewayMCPServer([*tools, SmartPipe(tools)], Governance(counters, audit, time.time))
lambda_handler = http_handler(
    server,
    needs_principal=True,
    allowed_hosts=(),  # Behind any proxy: a page that has a name rebound to this machine has no key.
)
