"""The typed error of the contract, and the planted faults."""
import os

BUGS = {"range-excludes-end", "ids-reused", "batch-not-atomic", "numbers-through-float", "array-step-keeps-misses", "ties-unordered"}
BUG = os.environ.get("SOUP_PEER_BUG", "")
if BUG and BUG not in BUGS:
    raise SystemExit("no such bug: %s" % BUG)


class Fault(Exception):
    def __init__(self, code, message="", offset=None):
        super().__init__(code, message)
        self.code, self.message, self.offset = code, message, offset
