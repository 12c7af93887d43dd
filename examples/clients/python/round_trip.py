"""Sends a message through a broker and takes it back: python3 round_trip.py HOST PORT USER [CA.pem]

The password comes from MLMQ_PASSWORD. With a file of authorities the connection uses TLS.
"""

import os
import ssl
import sys

from mlmq import Client

host, port, user, *authorities = sys.argv[1:]
context = ssl.create_default_context(cafile=authorities[0]) if authorities else None
with Client(host, int(port), context, user or None, os.environ.get("MLMQ_PASSWORD")) as client:
    client.register(f"python-{os.getpid()}")
    queue = client.create_queue(f"python-{os.getpid()}")
    client.send(queue, b"first", properties={"id": 7, "price": 1.5, "urgent": True, "place": "Z\u00fcrich"})
    client.send(queue, "Gr\u00fcezi".encode(), priority=9)
    message = client.receive(queue, lease=30_000, wait=10_000)
    client.acknowledge(message)
    first = client.dequeue(queue)
    topic = client.create_topic(f"python-{os.getpid()}")
    subscription = client.subscribe(topic, "urgent", "urgent AND id BETWEEN 5 AND 9")
    copies = [client.publish(topic, b"news", properties={"id": number, "urgent": True}) for number in (7, 70)]
    print(copies, client.dequeue(subscription).properties)
    print(message.content.decode(), first.content.decode(), first.properties, client.dequeue(queue))
