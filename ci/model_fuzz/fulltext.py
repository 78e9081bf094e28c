"""Match expressions: smartstore.md 6. Terms, phrases, prefixes, AND, OR, NOT, parentheses, paths before a term."""

import re
import unicodedata

from .expectation import Avoid, Fault, Open

PIECE = re.compile(r'\s*(?:(\{[^}]*\}):(?=[^\s])|("[^"]*")(\*?)|([()])|([^\s()"{}*:]+)(\*?))')


def tokens(text):
    """FTS-03, unicode61: runs of letters and digits, folded, without diacritics."""
    plain = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return re.findall(r"[^\W_]+", plain.lower())


class Term:
    def __init__(self, words, prefix, paths):
        self.words, self.prefix, self.paths = words, prefix, paths

    def matches(self, texts):
        return any(self.found(tokens(texts[path])) for path in self.paths if texts[path] is not None)

    def found(self, all_tokens):
        n = len(self.words)
        for i in range(len(all_tokens) - n + 1):
            run = all_tokens[i : i + n]
            last = run[-1].startswith(self.words[-1]) if self.prefix else run[-1] == self.words[-1]
            if last and run[:-1] == self.words[:-1]:
                return True
        return False


class Expression:
    """FTS-14: NOT binds tightest, then AND (also the implicit one), then OR."""

    def __init__(self, text, soup, path):
        self.soup = soup
        self.paths = [path] if path else soup.full_text_paths()
        self.pieces = self.split(text)
        self.at = 0
        if not self.pieces:
            raise Fault("invalidMatchExpression")
        self.tree = self.alternatives()
        if self.at < len(self.pieces):
            raise Fault("invalidMatchExpression")

    @staticmethod
    def split(text):
        pieces, at = [], 0
        text = text.rstrip()
        while at < len(text):
            found = PIECE.match(text, at)
            if not found:
                raise Avoid("a match expression whose grammar is open")
            pieces.append(found)
            at = found.end()
        return pieces

    def word(self):
        """The operator or parenthesis at the position, or None."""
        if self.at == len(self.pieces):
            return None
        piece = self.pieces[self.at]
        if piece.group(4):
            return piece.group(4)
        return piece.group(5) if piece.group(5) in ("AND", "OR", "NOT") and not piece.group(6) else None

    def alternatives(self):
        sides = [self.conjunction()]
        while self.word() == "OR":
            self.at += 1
            sides.append(self.conjunction())
        return ("or", sides) if len(sides) > 1 else sides[0]

    def conjunction(self):
        sides, implicit = [self.exclusion()], False
        while self.at < len(self.pieces) and self.word() in (None, "AND", "("):
            if self.word() == "AND":
                self.at += 1
            else:
                implicit = True
            sides.append(self.exclusion())
        # FTS-14: two terms without an operator bind tighter than NOT in one engine only.
        if implicit and any(not isinstance(side, Term) and side[0] == "not" for side in sides):
            raise Open
        return ("and", sides) if len(sides) > 1 else sides[0]

    def exclusion(self):
        left = self.primary()
        while self.word() == "NOT":
            self.at += 1
            left = ("not", [left, self.primary()])
        return left

    def primary(self):
        if self.at == len(self.pieces):
            raise Fault("invalidMatchExpression")
        word, paths = self.word(), self.paths
        if word == "(":
            self.at += 1
            inner = self.alternatives()
            if self.word() != ")":
                raise Fault("invalidMatchExpression")
            self.at += 1
            return inner
        if word is not None:
            raise Fault("invalidMatchExpression")
        piece = self.pieces[self.at]
        self.at += 1
        if piece.group(1):
            name, _, path = piece.group(1)[1:-1].partition(":")
            if name != self.soup.name or self.at == len(self.pieces) or self.word() is not None:
                raise Avoid("a path whose term is open")
            if path not in self.soup.full_text_paths():
                raise Fault("pathNotIndexed")
            paths, piece = [path], self.pieces[self.at]
            self.at += 1
        words = tokens(piece.group(2) or piece.group(5) or "")
        if not words or piece.group(1) or (piece.group(5) and len(words) > 1):
            raise Avoid("a term without words, or of several")
        return Term(words, bool(piece.group(3) or piece.group(6)), paths)

    def matches(self, texts, tree=None):
        tree = tree or self.tree
        if isinstance(tree, Term):
            return tree.matches(texts)
        kind, sides = tree
        if kind == "or":
            return any(self.matches(texts, side) for side in sides)
        if kind == "and":
            return all(self.matches(texts, side) for side in sides)
        return self.matches(texts, sides[0]) and not self.matches(texts, sides[1])
