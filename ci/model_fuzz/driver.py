"""Drives `soup serve` through its JSON lines; a store folder that outlives the process."""

import json
import os
import select
import shutil
import subprocess
import tempfile

from .json_text import write

# Seconds that a call may take: more than any does on a busy machine.
PATIENCE = 60


class Died(Exception):
    """The program ended, or gave no answer."""


class Driver:
    def __init__(self, program, backend):
        self.command = [program, "serve", "--backend", backend, "--folder"]
        self.folder = tempfile.mkdtemp(
            prefix="soup-model-fuzz-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        )
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command + [self.folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, call, args):
        """The answer: {"returns": ...} or {"fails": ...}."""
        if call in ("@restart", "@kill"):
            if call == "@kill":
                self.process.kill()
            self.stop()
            self.start()
            # A store is opened by the first call, and only then what a killed process left over is removed.
            answer = self.send("getAllSoupNames", {})
            return {"returns": True} if "returns" in answer else answer
        line = '{"id":1,"call":"%s","args":%s}\n' % (call, write(args))
        try:
            self.process.stdin.write(line.encode("utf-8"))
            self.process.stdin.flush()
            # One answer for each request, so nothing is left in the buffer of the pipe.
            if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
                raise Died("no answer in %d s" % PATIENCE)
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer:
            raise Died("soup serve ended with %s" % self.process.wait())
        return json.loads(answer)

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def database(self):
        """The file of the one store that the calls use; None before it is made."""
        for folder, _, names in os.walk(self.folder):
            if "store.db" in names:
                return os.path.join(folder, "store.db")
        return None
