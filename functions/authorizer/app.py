"""The API's authorizer: an API key in, a principal out; anybody else is 401, or 403 where the key's scopes end."""

import os
import time

from aws_lambda_powertools import Logger

from functions.authorizer.authorizer import Authorizer
from functions.authorizer.keyring import KeyRing
from functions.authorizer.settings import Settings
from governance.key_table import KeyTable
from governance.store import governance_table

logger = Logger()
settings = Settings.model_validate(dict(os.environ))
keys = KeyTable(governance_table(settings.table))
lambda_handler = Authorizer(KeyRing(keys, now_s=time.time, clock=time.monotonic, max_age_s=settings.max_age_s))
