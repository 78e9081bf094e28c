"""The JSON lines of the conformance vectors, for drivers of libraries: Corpora/FORMAT.md, "The protocol"."""
import importlib.metadata
import json
import sys


class Fault(Exception):
    """A refusal with a code of the contract."""

    def __init__(self, code, message="", offset=None):
        super().__init__(message)
        self.code, self.message, self.offset = code, message, offset


class Arguments(dict):
    """The arguments of a call. One that is missing and has no default is refused."""

    def __missing__(self, name):
        raise Fault("invalidArguments", "the argument %s is missing" % name)


def failure(request, code, message, offset=None):
    return json.dumps({"id": request["id"], "fails": {"code": code, "message": message, "offset": offset}})


def serve(package, capabilities, calls, reset=lambda: None, versions=None, after=lambda call: None):
    """Answers requests until the input ends. `calls` maps names of calls to functions of their arguments."""
    hello = {"name": package, "version": importlib.metadata.version(package), "format": 1, "capabilities": capabilities, "calls": sorted(calls)}
    if versions is not None:
        hello["odataVersions"] = versions
    for line in sys.stdin.buffer:
        request = json.loads(line)
        call = request["call"]
        answer = {"id": request["id"]}
        try:
            if call == "hello":
                wanted = request["args"].get("format")
                if wanted not in (None, 1):
                    raise Fault("unsupported" if isinstance(wanted, int) else "invalidArguments", "there is only format 1")
                answer["returns"] = hello
            elif call == "reset":
                reset()
                answer["returns"] = True
            else:
                answer["returns"] = calls[call](Arguments(request.get("args", {})))
            text = json.dumps(answer, allow_nan=False)
        except Fault as fault:
            text = failure(request, fault.code, fault.message, fault.offset)
        except Exception as error:  # what the library raises and the driver does not know is an answer too
            text = failure(request, "driverError", "%s: %s" % (type(error).__name__, error))
        after(call)
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
