"""samcp without its log and metric receivers, with the three tools that every contestant has."""

from functions.lab.calculator import Calculator
from functions.lab.current_time import GetCurrentTime
from functions.lab.server import LabMCPServer
from functions.lab.wiki_search import WikiSearch
from mcpserver import http_handler

server = LabMCPServer(tools=[Calculator(), WikiSearch(), GetCurrentTime()])
lambda_handler = http_handler(server, default_receivers=False)
