"""The discovery room: a schedule lists the connections, a queue's worker asks each server. It has no public route."""

import os
import time

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.utils import copy_config_to_registered_loggers
from guardedhttp import Network
from mcpclient import MCPServerConnection
from mcpclient.approvals import ApprovalTable
from mcpclient.catalog_table import CatalogTable
from mcpclient.connections import ConnectionTable, open_table

from functions.discovery.announcer import Announcer
from functions.discovery.lister import Lister
from functions.discovery.recorder import Recorder
from functions.discovery.settings import Settings
from functions.discovery.worker import Worker

settings = Settings.read(os.environ)
copy_config_to_registered_loggers(Logger(service=settings.service), include={"functions.discovery", "mcpclient"})
table = open_table(settings.table)
network = Network(loopback_ports=settings.loopback_ports)
connections = ConnectionTable(table, loopback_ports=settings.loopback_ports)
recorder = Recorder(CatalogTable(table), ApprovalTable(table), now_s=time.time)
announcer = Announcer(boto3.client("events"), service=settings.service, namespace=settings.namespace)
list_handler = Lister(connections, boto3.client("sqs"), settings.queue_url).answer  # schedule -> queue
worker_handler = Worker(
    connections,
    recorder,
    announcer,
    discover=lambda connection: MCPServerConnection(connection, network=network).discover_in_full(),
).answer  # queue -> the messages that failed
