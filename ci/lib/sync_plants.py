"""What ci/sync-cuts --self-test plants into a store, to see that its checks find it."""

import json
import sqlite3
import urllib.request

from sync_cuts_base import OTHER_VERSION, TYPES


def in_store(work):
    """A plant that changes the file of a client's store."""

    def plant(client):
        connection = sqlite3.connect(client.store)
        work(connection)
        connection.commit()
        connection.close()

    return plant


class Rows:
    """The rows of a soup, and the columns of its indexes."""

    def __init__(self, connection, soup):
        self.connection = connection
        (number,) = connection.execute("SELECT id FROM soup_attrs WHERE soupName = ?", [soup]).fetchone()
        self.table = f"TABLE_{number}"
        self.columns = dict(connection.execute("SELECT path, columnName FROM soup_index_map WHERE soupName = ? AND columnType <> 'json1'", [soup]))

    def first(self, condition):
        """A clean row, or one that was created here, by a condition on its id."""
        where = condition.replace("Id", self.columns["Id"])
        is_local = "'true'" if "local" in condition else "'false'"
        return self.connection.execute(f"SELECT id, soup FROM {self.table} WHERE {where} AND {self.columns['__local__']} = {is_local} ORDER BY id LIMIT 1").fetchone()

    def write(self, number, row):
        values = [row.get(path) for path in self.columns]
        values = [("true" if value else "false") if isinstance(value, bool) else value for value in values]
        assignments = ", ".join(f"{column} = ?" for column in ["soup", *self.columns.values()])
        self.connection.execute(f"UPDATE {self.table} SET {assignments} WHERE id = ?", [json.dumps(row), *values, number])


def drop_row(soup, condition):
    def work(connection):
        rows = Rows(connection, soup)
        connection.execute(f"DELETE FROM {rows.table} WHERE id = ?", rows.first(condition)[:1])

    return in_store(work)


def copy_row(soup, condition):
    def work(connection):
        rows = Rows(connection, soup)
        names = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({rows.table})") if name != "id"]
        connection.execute(f"INSERT INTO {rows.table} ({', '.join(names)}) SELECT {', '.join(names)} FROM {rows.table} WHERE id = ?", rows.first(condition)[:1])

    return in_store(work)


def change(soup, condition, column=None, **members):
    """Changes members of a row with their indexes, or the index of a path alone."""

    def work(connection):
        rows = Rows(connection, soup)
        number, text = rows.first(condition)
        if column:
            connection.execute(f"UPDATE {rows.table} SET {rows.columns[column]} = 'other' WHERE id = ?", [number])
        else:
            rows.write(number, json.loads(text) | members)

    return in_store(work)


def set_status(status):
    def work(connection):
        rows = Rows(connection, "syncs_soup")
        number, text = connection.execute(f"SELECT id, soup FROM {rows.table} ORDER BY id DESC LIMIT 1").fetchone()
        rows.write(number, json.loads(text) | {"status": status})

    return in_store(work)


def send(client, method, path, fields):
    url = f"http://127.0.0.1:{client.service.port}/services/data/{OTHER_VERSION}/sobjects/{path}"
    urllib.request.urlopen(urllib.request.Request(url, json.dumps(fields).encode(), {"Content-Type": "application/json"}, method=method)).close()


def create_again(soup):
    """Creates a record again that was created from a row."""

    def plant(client):
        kind, field = TYPES[soup]
        name = next(name for changed, name in client.changes.created if changed == soup)
        send(client, "POST", kind, {field: name})

    return plant


def forget_change(soup):
    """Has the service forget a change that was sent."""

    def plant(client):
        kind, field = TYPES[soup]
        key = next(key for changed, key in client.changes.updated if changed == soup)
        send(client, "PATCH", f"{kind}/{key}", {field: "as before"})

    return plant
