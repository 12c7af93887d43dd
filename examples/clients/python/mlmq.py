"""A client of MLMQ in the standard library alone, written from docs/reference/protocol.md.

It sends one request at a time and waits for its response:

    with Client("broker.example.org", 8099, tls=ssl.create_default_context(), user="alice", password=secret) as client:
        client.register("python")
        queue = client.create_queue("jobs")
        client.send(queue, b"hello")
        print(client.dequeue(queue, wait=10_000).content)
"""

import base64
import hashlib
import hmac
import os
import socket
import ssl
import stringprep
import struct
import unicodedata
from collections import namedtuple

MAGIC, VERSION, PAYLOAD_MAX = 0x4D4C4D51, 1, 4_194_304
AUTHENTICATION, PROPERTIES, TOPICS, TIMES = 128, 256, 512, 1024
FEATURES = 4 | AUTHENTICATION | PROPERTIES | TOPICS | TIMES  # 4: extra fields
FAILURE, CLOSED = 199, 16
HASHES = {"1.2.840.10045.4.3.2": "sha256", "1.2.840.10045.4.3.3": "sha384", "1.2.840.10045.4.3.4": "sha512",
          "1.2.840.113549.1.1.5": "sha256", "1.2.840.113549.1.1.11": "sha256", "1.2.840.113549.1.1.12": "sha384",
          "1.2.840.113549.1.1.13": "sha512"}

# Section 2.3 of RFC 4013.
FORBIDDEN = (stringprep.in_table_c12, stringprep.in_table_c21_c22, stringprep.in_table_c3, stringprep.in_table_c4,
             stringprep.in_table_c5, stringprep.in_table_c6, stringprep.in_table_c7, stringprep.in_table_c8,
             stringprep.in_table_c9)

Message = namedtuple("Message", "id queue sender receiver priority context sent deliveries lease content properties")


class Failure(Exception):
    """The broker refused a request. `status` is one of the page's statuses."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Client:
    """A connection to a broker. `tls` is an ssl.SSLContext, or None for a connection in the clear."""

    def __init__(self, host, port, tls=None, user=None, password=None, timeout=30):
        """Connects and signs in. Times are in seconds. Raises Failure, OSError, or ssl.SSLError."""
        self.socket = socket.create_connection((host, port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            if tls:
                self.socket = tls.wrap_socket(self.socket, server_hostname=host)
            self.reader = self.socket.makefile("rb")
            self.last_id = 0
            self.mechanisms = self._hello()
            if user:
                self._sign_in(user, password)
            elif self.mechanisms:
                raise Failure(17, "the broker asks for a user and its password")
        except BaseException:
            self.socket.close()
            raise

    def register(self, name):
        """Returns the ids of the client and of its personal queue."""
        return self._ask(1, text(name)).take("ii")

    def create_queue(self, name):
        return self._ask(2, text(name)).take("i")[0]

    def lookup_queue(self, name):
        return self._ask(4, text(name)).take("i")[0]

    def send(self, queue, content, priority=5, properties=None):
        """Properties are a dict of str, int, float and bool. `$delay` and `$ttl` [ms] are for the broker."""
        if properties and not self.granted & PROPERTIES:
            raise Failure(10, "the broker is too old for properties")
        self._ask(7, struct.pack(">iiiiq", 1, queue, 0, priority, 0) + text("") + data(content)
                  + (data(encoded(properties)) if properties else b""))

    def create_topic(self, name):
        return self._ask(33, text(name)).take("i")[0]

    def subscribe(self, topic, name, filter="", durable=False):
        """Returns the queue of a subscription, which gets what is published from now on and the filter takes."""
        fields = struct.pack(">i", topic) + text(name) + text(filter) + struct.pack(">?", durable)
        return self._ask(36, fields).take("i")[0]

    def publish(self, topic, content, priority=5, properties=None):
        """Returns the number of subscriptions that got a copy."""
        fields = struct.pack(">iiq", topic, priority, 0) + text("") + data(content) + data(encoded(properties or {}))
        return self._ask(38, fields).take("i")[0]

    def dequeue(self, queue, wait=0):
        """Returns a Message, or None if there was none for so long [ms]."""
        return self._ask(14, query(queue, wait), wait).message()

    def receive(self, queue, lease, wait=0):
        """Returns a Message that is redelivered unless it is acknowledged within the lease [ms], or None."""
        return self._ask(16, query(queue, wait) + struct.pack(">i", lease), wait).message()

    def acknowledge(self, message):
        self._ask(17, struct.pack(">qq", message.id, message.lease))

    def close(self):
        """Says goodbye."""
        try:
            self._ask(22, b"")
        finally:
            self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is None:
            self.close()
        else:
            self.socket.close()

    def _hello(self):
        fields = self._ask(23, struct.pack(">iiq", MAGIC, VERSION, FEATURES) + text("python")
                           + struct.pack(">i", PAYLOAD_MAX))
        fields.take("i")
        fields.text()
        self.granted, = fields.take("q")
        fields.take("7i")
        return fields.text().split() if self.granted & AUTHENTICATION else []

    def _sign_in(self, user, password):
        if not self.mechanisms:
            raise Failure(17, "the broker asks for no password, so it may be another one")
        scram = Scram(user, password, self._binding(), "SCRAM-SHA-256-PLUS" in self.mechanisms)
        fields = self._ask(32, text(scram.mechanism) + data(scram.first()))
        fields.take("?")
        fields = self._ask(32, text("") + data(scram.last(fields.data())))
        complete, = fields.take("?")
        if not complete or not scram.is_proved_by(fields.data()):
            raise Failure(17, "the broker does not know the user either: it may be another program")

    def _binding(self):
        return end_point(self.socket.getpeercert(True)) if isinstance(self.socket, ssl.SSLSocket) else None

    def _ask(self, kind, fields, wait=0):
        self.last_id += 1
        self.socket.sendall(struct.pack(">iii", 8 + len(fields), kind, self.last_id) + fields)
        length, kind, answered = struct.unpack(">iii", self._read(12))
        response = Fields(self._read(length - 8))
        if kind == FAILURE:
            status, = response.take("i")
            raise Failure(status, response.text())
        if answered != self.last_id:
            raise Failure(11, "a response to another request")
        return response

    def _read(self, count):
        received = self.reader.read(count)
        if len(received) < count:
            raise ConnectionError("the broker closed the connection")
        return received


class Fields:
    """The fields of a response, taken in order."""

    def __init__(self, payload):
        self.payload, self.at = payload, 0

    def take(self, kinds):
        values = struct.unpack_from(">" + kinds, self.payload, self.at)
        self.at += struct.calcsize(">" + kinds)
        return values

    def data(self):
        length, = self.take("i")
        self.at += length
        return self.payload[self.at - length:self.at]

    def text(self):
        return self.data().decode()

    def message(self):
        present, = self.take("?")
        return Message(*self.take("qiiiiqqiq"), self.data(), self.properties()) if present else None

    def properties(self):
        values, fields = {}, Fields(self.data() if self.at < len(self.payload) else b"")
        while fields.at < len(fields.payload):
            name, (kind,) = fields.text(), fields.take("b")
            values[name] = fields.take("_qd?"[kind])[0] if kind else fields.text()
        return values


class Scram:
    """One sign-in by SCRAM-SHA-256 (RFC 5802, RFC 7677)."""

    def __init__(self, user, password, binding, offers_plus, nonce=None):
        self.password = prepare(password)
        self.binding = binding if offers_plus and binding else b""
        self.mechanism = "SCRAM-SHA-256-PLUS" if self.binding else "SCRAM-SHA-256"
        self.header = "p=tls-server-end-point,," if self.binding else "y,," if binding else "n,,"
        self.nonce = nonce or base64.b64encode(os.urandom(18)).decode()
        self.bare = "n=" + user.replace("=", "=3D").replace(",", "=2C") + ",r=" + self.nonce

    def first(self):
        return (self.header + self.bare).encode()

    def last(self, challenge):
        parts = dict(part.split("=", 1) for part in challenge.decode().split(","))
        if not parts["r"].startswith(self.nonce) or parts["r"] == self.nonce:
            raise Failure(17, "the nonce is not that of this sign-in")
        if not 4_096 <= int(parts["i"]) <= 100_000:
            raise Failure(17, "the challenge has not 4096..100000 iterations")
        salted = hashlib.pbkdf2_hmac("sha256", self.password, base64.b64decode(parts["s"]), int(parts["i"]))
        bound = base64.b64encode(self.header.encode() + self.binding).decode()
        unproved = "c=" + bound + ",r=" + parts["r"]
        conversation = ",".join([self.bare, challenge.decode(), unproved]).encode()
        client_key = sign(salted, b"Client Key")
        signature = sign(hashlib.sha256(client_key).digest(), conversation)
        proof = bytes(one ^ other for one, other in zip(client_key, signature))
        self.expected = b"v=" + base64.b64encode(sign(sign(salted, b"Server Key"), conversation))
        return (unproved + ",p=" + base64.b64encode(proof).decode()).encode()

    def is_proved_by(self, message):
        return hmac.compare_digest(message, self.expected)


def sign(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def prepare(password):
    """Brings passwords that look the same into the same form, as RFC 4013 says."""
    mapped = (" " if stringprep.in_table_c12(c) else c for c in password if not stringprep.in_table_b1(c))
    prepared = unicodedata.normalize("NFKC", "".join(mapped))
    if any(forbids(c) for c in prepared for forbids in FORBIDDEN):
        raise ValueError("a password has no control characters and no private ones")
    leftward = [stringprep.in_table_d1(c) for c in prepared]
    if any(leftward) and not (leftward[0] and leftward[-1] and not any(map(stringprep.in_table_d2, prepared))):
        raise ValueError("a password with letters that are written from right to left begins and ends with one of "
                         "them, and has no letter that is written from left to right")
    return prepared.encode()


def end_point(certificate):
    """Returns the channel binding tls-server-end-point (RFC 5929) of a certificate in DER, or None."""
    _, start, _ = element(certificate, 0)
    _, _, after = element(certificate, start)
    _, start, _ = element(certificate, after)
    _, start, end = element(certificate, start)
    hash_of = HASHES.get(object_id(certificate[start:end]))
    return hashlib.new(hash_of, certificate).digest() if hash_of else None


def element(der, at):
    """Returns the tag of the element at that place, and where its content begins and ends."""
    length, start = der[at + 1], at + 2
    if length & 0x80:
        count = length & 0x7F
        length, start = int.from_bytes(der[start:start + count], "big"), start + count
    return der[at], start, start + length


def object_id(content):
    numbers, value = [content[0] // 40, content[0] % 40], 0
    for byte in content[1:]:
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            numbers.append(value)
            value = 0
    return ".".join(str(number) for number in numbers)


def data(content):
    return struct.pack(">i", len(content)) + content


def text(value):
    return data(value.encode())


def encoded(properties):
    kinds = {str: b"\0", int: b"\1", float: b"\2", bool: b"\3"}
    return b"".join(text(name) + kinds[type(value)] + (text(value) if type(value) is str else
                    struct.pack({int: ">q", float: ">d", bool: ">?"}[type(value)], value))
                    for name, value in properties.items())


def query(queue, wait):
    return struct.pack(">iiq?bi", queue, 0, 0, False, 0, wait)
