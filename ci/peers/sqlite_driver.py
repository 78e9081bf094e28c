#!/usr/bin/env python3
"""Speaks the JSON lines of the conformance vectors for a small store of its own, over the standard library's sqlite3.

It shares no code with the package: a vector that both pass says something about the vector. It is not a store to be used: nothing reaches disk,
and what it cannot do is in Corpora/expected-failures/sqlite-peer.csv. Run it by
    soup conform --driver 'python3 ci/peers/sqlite_driver.py' Corpora
With SOUP_PEER_BUG=NAME it has one of a few planted faults, which the vectors have to find; `--bugs` lists them.
"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from sqlite_peer.calls import CALLS, Peer  # noqa: E402
from sqlite_peer.faults import BUGS, Fault  # noqa: E402
from sqlite_peer.values import dump, load  # noqa: E402


def answer(peer, line):
    try:
        request = load(line)
    except Fault as fault:
        return {"id": None, "fails": {"code": "invalidJSON", "message": fault.message}}
    identity = request.get("id") if isinstance(request, dict) else None
    try:
        if not isinstance(request, dict) or request.get("call") not in CALLS:
            raise Fault("invalidArguments", "no such call")
        return {"id": identity, "returns": CALLS[request["call"]](peer, request.get("args", {}))}
    except Fault as fault:
        fails = {"code": fault.code, "message": fault.message}
        if fault.offset is not None:
            fails["offset"] = fault.offset
        return {"id": identity, "fails": fails}
    except Exception as error:  # a fault of the peer must be an answer too, or the suite would wait
        return {"id": identity, "fails": {"code": "peerError", "message": "%s: %s" % (type(error).__name__, error)}}


def main():
    if "--bugs" in sys.argv:
        print("\n".join(sorted(BUGS)))
        return
    sys.setrecursionlimit(5000)
    peer = Peer()
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.buffer.write(dump(answer(peer, line.decode("utf-8", "replace"))).encode("utf-8", "surrogatepass") + b"\n")
            sys.stdout.buffer.flush()


main()
