"""A driver of the conformance vectors for odata-query: its parser of $filter texts, and its printer of parsed texts.

It knows version 4 only. The driver turns its tree into the trees of the contract (Corpora/FORMAT.md, "Trees") and does nothing else: what the parser
accepts or refuses, and where, is its own.
"""
from odata_query import ast, exceptions
from odata_query.grammar import ODataLexer, ODataParser
from odata_query.roundtrip import AstToODataVisitor

from wire import Fault, serve

BINARY = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.In: "in",
    ast.And: "and", ast.Or: "or", ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Mod: "mod",
}
TYPES = {ast.String: "Edm.String", ast.Date: "Edm.Date", ast.Time: "Edm.TimeOfDay", ast.DateTime: "Edm.DateTimeOffset",
         ast.Duration: "Edm.Duration", ast.GUID: "Edm.Guid", ast.Geography: "Edm.Geography"}


def parse(args):
    text = args["text"]
    try:
        return ODataParser().parse(ODataLexer().tokenize(text))
    except exceptions.ODataSyntaxError as error:
        token = error.token
        position = len(text) if token is None else getattr(token, "index", 0)
        raise Fault("syntax", str(error), len(text[:position].encode("utf-8")))
    except exceptions.UnknownFunctionException as error:
        raise Fault("unsupported", str(error))
    except exceptions.FunctionCallException as error:
        raise Fault("syntax", str(error))


def literal(node):
    if isinstance(node, ast.Boolean):
        return ["literal", "Edm.Boolean", node.py_val]
    if isinstance(node, ast.Integer):
        value = node.py_val
        if -(2**31) <= value < 2**31:
            return ["literal", "Edm.Int32", value]
        return ["literal", "Edm.Int64" if -(2**63) <= value < 2**63 else "Edm.Decimal", str(value)]
    if isinstance(node, ast.Float):
        return ["literal", "Edm.Double", node.py_val] if "e" in node.val.lower() else ["literal", "Edm.Decimal", node.val]
    return ["literal", TYPES[type(node)], node.val]


def path(node):
    if isinstance(node, ast.Attribute):
        return path(node.owner) + [node.attr]
    return [node.full_name()]


def tree(node):
    if isinstance(node, ast.Null):
        return ["null"]
    if isinstance(node, ast.List):
        return ["list"] + [tree(element) for element in node.val]
    if isinstance(node, (ast.Identifier, ast.Attribute)):
        return ["path"] + path(node)
    if isinstance(node, (ast.BinOp, ast.BoolOp)):
        return [BINARY[type(node.op)], tree(node.left), tree(node.right)]
    if isinstance(node, ast.Compare):
        return [BINARY[type(node.comparator)], tree(node.left), tree(node.right)]
    if isinstance(node, ast.UnaryOp):
        return ["not" if isinstance(node.op, ast.Not) else "neg", tree(node.operand)]
    if isinstance(node, ast.Call):
        return ["call", node.func.full_name()] + [tree(argument) for argument in node.args]
    if isinstance(node, ast.CollectionLambda):
        name = "any" if isinstance(node.operator, ast.Any) else "all"
        found = [name, tree(node.owner)]
        return found if node.lambda_ is None else found + [node.lambda_.identifier.name, tree(node.lambda_.expression)]
    return literal(node)


serve("odata-query", ["odata"], {
    "odata.parseFilter": lambda args: tree(parse(args)),
    "odata.formatFilter": lambda args: AstToODataVisitor().visit(parse(args)),
}, versions=["4.0", "4.01"])
