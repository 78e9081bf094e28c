"""Reads batches with the packages email and json of Python, apart from the Swift reader, and prints what it found in each.

Input: a line per batch, the Content-Type and the bytes in base64, separated by a tab. Output: a line per batch, its messages in order, joined by
blanks: the first line, the number of its headers and its body, each in base64, joined by colons.
"""
import base64
import email.parser
import email.policy
import json
import sys

POLICY = email.policy.compat32.clone(linesep="\r\n")


def encoded(data):
    return base64.b64encode(data).decode()


def http(part):
    """The first line, headers and body of the message in a part."""
    content = part.get_payload(decode=True)
    head, _, body = content.partition(b"\r\n\r\n")
    first, _, rest = head.partition(b"\r\n")
    headers = email.parser.BytesParser(policy=POLICY).parsebytes(rest + b"\r\n\r\n")
    return ":".join([encoded(first), str(len(headers)), encoded(body)])


def multipart(content_type, data):
    message = email.parser.BytesParser(policy=POLICY).parsebytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + data)
    if message.defects:
        raise SystemExit(f"defects: {message.defects}")
    found = []
    for part in message.get_payload():
        inner = part.get_payload() if part.is_multipart() else [part]
        found += [http(one) for one in inner]
    return found


def once(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise SystemExit(f"a name twice: {names}")
    return dict(pairs)


def body_of(item):
    if "body" not in item:
        return b""
    kind = item.get("headers", {}).get("content-type", "application/json").split(";")[0].strip()
    if kind.endswith("json"):
        return json.dumps(item["body"], separators=(",", ":"), ensure_ascii=False).encode()
    if kind.startswith("text/"):
        return item["body"].encode()
    return base64.urlsafe_b64decode(item["body"] + "=" * (-len(item["body"]) % 4))


def json_batch(data):
    document = json.loads(data, object_pairs_hook=once)
    found = []
    for item in document.get("requests", document.get("responses")):
        first = f"{item['method']} {item['url']} HTTP/1.1" if "method" in item else f"HTTP/1.1 {item['status']}"
        found.append(":".join([encoded(first.encode()), str(len(item.get("headers", {}))), encoded(body_of(item))]))
    return found


for line in sys.stdin:
    kind, text = line.rstrip("\n").split("\t")
    bytes_of_batch = base64.b64decode(text)
    print(" ".join(json_batch(bytes_of_batch) if kind.startswith("application/json") else multipart(kind, bytes_of_batch)) or "-")
