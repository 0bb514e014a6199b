"""What can go wrong in the governance, as its callers catch it.

GovernanceError
├── StoreError        a table could not be used
├── UnknownKeyError   no key has this id
├── PolicyError       a policy file does not fit
└── WallError         a call runs into one of its limits
"""

from governance.limits import Usage, Wall


class GovernanceError(Exception):
    """The base of all."""


class StoreError(GovernanceError):
    """A governance table could not be used: nobody knows whether the write was made."""


class UnknownKeyError(GovernanceError):
    """There is no key with this id."""


class PolicyError(GovernanceError, ValueError):
    """A policy file does not fit; says where and what is allowed."""


class WallError(GovernanceError):
    """The call may not pass; says which wall it ran into."""

    def __init__(self, wall: Wall, usage: Usage, retry_after_s: int) -> None:
        super().__init__(wall)
        self.wall = wall
        self.usage = usage
        self.retry_after_s = retry_after_s
