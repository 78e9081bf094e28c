"""Parses $filter texts with odata-query (PyPI): the peer of `soup bench --filter odata-filter`.

Input: JSON lines {"filter": text, "times": n}; output: {"parsed": n} after that many parses, or {"fault": message}. Lexer and parser are made
once, as its own documentation shows; each parse makes a tree of its own.
"""
import json
import sys

from odata_query.grammar import ODataLexer, ODataParser

lexer = ODataLexer()
parser = ODataParser()

for line in sys.stdin:
    request = json.loads(line)
    try:
        for _ in range(request["times"]):
            parser.parse(lexer.tokenize(request["filter"]))
        answer = {"parsed": request["times"]}
    except Exception as error:  # a text that it cannot read is an answer too
        answer = {"fault": "%s: %s" % (type(error).__name__, error)}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
