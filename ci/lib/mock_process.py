"""A mock service in a process of its own, for ci/sync-cuts."""

import json
import signal
import subprocess
import threading


class MockProcess:
    """A mock service, the log of its requests, and the client that its signals kill."""

    def __init__(self, command, folder, data, rules):
        """Starts `command`, which has no data and no rules yet. Its files are in `folder`."""
        (folder / "data.json").write_text(json.dumps(data))
        (folder / "rules.json").write_text(json.dumps(rules))
        self.log = folder / "requests.jsonl"
        arguments = ["--data", folder / "data.json", "--faults", folder / "rules.json", "--log", self.log]
        self.process = subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True)
        self.root = self.process.stdout.readline().strip()
        self.client = None
        threading.Thread(target=self.obey, daemon=True).start()

    def obey(self):
        for line in self.process.stdout:
            client = self.client
            if line.startswith("signal") and client:
                client.send_signal(signal.SIGKILL)

    def logged(self, text):
        """How often the log has a text."""
        return self.log.read_text().count(text) if self.log.exists() else 0

    def close(self):
        self.process.kill()
        self.process.wait()
