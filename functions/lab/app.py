"""The `lab` server: small tools that keep no state and hold no secret."""

import os

from functions.lab.calculator import Calculator
from functions.lab.countdown import Countdown
from functions.lab.current_time import GetCurrentTime
from functions.lab.live_wiki import live_wiki_of
from functions.lab.server import LabMCPServer
from functions.lab.wiki_search import WikiSearch
from mcpserver import http_handler

server = LabMCPServer(tools=[Calculator(), WikiSearch(live_wiki_of(os.environ)), GetCurrentTime(), Countdown()])
lambda_handler = http_handler(server)  # API Gateway event -> answer; see mcpserver/http_adapter.py
