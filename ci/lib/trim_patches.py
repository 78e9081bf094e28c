"""Drops comments from the context of the planted faults in ci/mutants, so that rewording a comment does not break a patch.

    trim_patches.py PATCH ...            rewrites the patches
    trim_patches.py --check PATCH ...    changes nothing; fails if the context of a patch has a comment

git wants a line of context after each change. Where a comment is all that follows, plant the fault elsewhere.
"""
import re
import sys

HEADER = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)")


def is_comment(line):
    return re.match(r" \s*//", line) is not None


def hunk(old, new, lines):
    """The text of a hunk whose first line is that of these numbers."""
    before = sum(not line.startswith("+") for line in lines)
    after = sum(not line.startswith("-") for line in lines)
    return ["@@ -%d,%d +%d,%d @@" % (old, before, new, after)] + lines


def trimmed(old, new, lines):
    """The hunks that are left of one when it is cut at its comments. Those without a change are left out."""
    result = []
    part = []
    start = (old, new)
    for line in lines + [None]:
        if line is None or is_comment(line):
            if any(kept[0] in "+-" for kept in part):
                result += hunk(*start, part)
            part = []
        else:
            if not part:
                start = (old, new)
            part.append(line)
        if line is not None:
            old += not line.startswith("+")
            new += not line.startswith("-")
    return result


def rewritten(text):
    lines = text.split("\n")
    result = []
    index = 0
    while index < len(lines):
        header = HEADER.match(lines[index])
        index += 1
        if not header:
            result.append(lines[index - 1])
            continue
        body = []
        while index < len(lines) and lines[index][:1] in (" ", "+", "-") and lines[index]:
            body.append(lines[index])
            index += 1
        result += trimmed(int(header[1]), int(header[2]), body)
    return "\n".join(result)


def main(arguments):
    checks = arguments[0] == "--check"
    for path in arguments[1:] if checks else arguments:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if checks and any(is_comment(line) for line in text.split("\n")):
            sys.exit("trim_patches: %s quotes comments; run ci/lib/trim_patches.py %s" % (path, path))
        if not checks:
            with open(path, "w", encoding="utf-8") as file:
                file.write(rewritten(text))


main(sys.argv[1:])
