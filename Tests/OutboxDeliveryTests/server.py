#!/usr/bin/env python3
"""A server on loopback that takes what an outbox sends: it can be slow, fail, drop connections, and counts.

It prints its port, and writes one line of JSON for each request into a log before it answers. Requests with a
known Idempotency-Key get the answer that the first one got, and count as repeated.
"""

import argparse
import asyncio
import gzip
import json
import random
import ssl
import uuid

parser = argparse.ArgumentParser()
parser.add_argument("--log", required=True)
parser.add_argument("--delay", type=float, default=0, help="seconds before each answer")
parser.add_argument("--fail", type=int, default=0, help="how many requests fail at first")
parser.add_argument("--status", type=int, default=500, help="with which status")
parser.add_argument("--failure", help="the body of a failure")
parser.add_argument("--retry-after", help="the seconds that a failure asks for")
parser.add_argument("--drop", type=int, default=0, help="how many requests get no answer at first")
parser.add_argument("--token", help="the token that is asked for; a refreshed one is this and -new")
parser.add_argument("--expired", action="store_true", help="only a refreshed token is taken")
parser.add_argument("--gate", help="a file with the number of requests that are answered so far")
parser.add_argument("--redirect", help="where every request is sent on to")
parser.add_argument("--body", help="the body of every answer, which then has status 200")
parser.add_argument("--faults", type=int, default=0, help="the percentage of requests that meet a fault of any kind")
parser.add_argument("--seed", type=int, default=1, help="decides about faults")
parser.add_argument("--no-deletes", action="store_true", help="deletes get status 405")
parser.add_argument("--close", action="store_true", help="each connection is closed after its answer, without notice")
parser.add_argument("--cut", action="store_true", help="each answer ends before its last byte")
parser.add_argument("--raw", help="what every request gets instead of an answer by HTTP")
parser.add_argument("--gzip", action="store_true", help="bodies are compressed")
parser.add_argument("--certificate", help="a file with a certificate and its key: the server speaks TLS")
parser.add_argument("--stream", choices=["slow", "continue", "headers", "huge"], help="an answer without end")
options = parser.parse_args()

log = open(options.log, "a", buffering=1)
answers = {}
bad = 0
heard = 0
connections = 0
chance = random.Random(options.seed)

# Statuses, connections that end before or after the request counts, an answer that isn't JSON, and one that is late.
FAULTS = [500, 502, 408, 425, "lost", "unanswered", "page", "late"]


def answer(method, path, headers, body):
    """Returns the status, further headers and the body of an answer; none to drop the connection."""
    global bad
    if path == "/api/v1/auth/refresh":
        if json.loads(body) != {"refresh_token": "refresh"}:
            return 401, {}, {}
        return 200, {}, {"data": {"access_token": options.token + "-new", "expires_in": 3600}}
    bad += 1
    if bad <= options.drop:
        return None
    if bad <= options.drop + options.fail:
        more = {"Retry-After": options.retry_after} if options.retry_after else {}
        return options.status, more, options.failure or {"error": "for a test"}
    if options.no_deletes and method == "DELETE":
        return 405, {}, {}
    if options.redirect:
        return 307, {"Location": options.redirect + path}, {}
    if options.token:
        good = options.token + "-new" if options.expired else options.token
        if headers.get("authorization") not in ("Bearer " + good, "Bearer " + options.token + "-new"):
            return 401, {}, {}
    key = headers.get("idempotency-key", "")
    if key not in answers:
        made = str(uuid.uuid5(uuid.NAMESPACE_URL, key)).upper()
        answers[key] = (201, {"data": {"id": made}}) if method == "POST" else (200, {"data": {}})
    status, content = answers[key]
    return status, {}, content


async def stream(writer):
    """Writes an answer that never ends, as fast as it is read; one of slow bytes, byte by byte."""
    if options.stream == "continue":
        first, rest = b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100
    elif options.stream == "headers":
        first, rest = b"HTTP/1.1 200 OK\r\n", b"X-Filler: abcdefghijklmnopqrstuvwxyz\r\n" * 100
    else:
        first, rest = b"HTTP/1.1 200 OK\r\nContent-Length: 3000000000\r\n\r\n", b"x" * 100_000
    writer.write(first)
    while True:
        writer.write(b"x" if options.stream == "slow" else rest)
        await writer.drain()
        if options.stream == "slow":
            await asyncio.sleep(0.2)


async def serve(reader, writer):
    global heard, connections
    connections += 1
    connection = connections
    try:
        while True:
            line = (await reader.readline()).decode()
            if not line:
                break
            method, path, _ = line.split(" ", 2)
            headers = {}
            while (header := (await reader.readline()).decode().strip()):
                name, value = header.split(":", 1)
                headers[name.strip().lower()] = value.strip()
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            key = headers.get("idempotency-key", "")
            entry = {
                "method": method, "path": path, "key": key, "repeated": key in answers,
                "token": headers.get("authorization"), "api_key": headers.get("x-api-key"),
                "body": json.loads(body) if body else None, "connection": connection,
            }
            fault = chance.choice(FAULTS) if chance.randrange(100) < options.faults else None
            if fault == "lost":
                result = None
            elif isinstance(fault, int):
                result = fault, {}, {"error": "for a test"}
            else:
                result = answer(method, path, headers, body)
            entry["status"] = result[0] if result else 0
            entry["accepted"] = not entry["repeated"] and key in answers
            log.write(json.dumps(entry) + "\n")
            if result is None or fault == "unanswered":
                break
            if fault == "page":
                result = 200, {}, "<html>"
            elif fault == "late":
                await asyncio.sleep(0.05)
            heard += 1
            number = heard
            while options.gate and int(open(options.gate).read() or 0) < number:
                await asyncio.sleep(0.005)
            if options.stream:
                await stream(writer)
            if options.delay:
                await asyncio.sleep(options.delay)
            status, more, content = result
            text = (content if isinstance(content, str) else json.dumps(content)).encode()
            if options.body is not None and method != "CONNECT":
                status, text = 200, options.body.encode()
            if options.raw:
                writer.write(options.raw.encode())
                break
            if options.gzip:
                text = gzip.compress(text)
                more = {**more, "Content-Encoding": "gzip"}
            lines = [f"HTTP/1.1 {status} OK", f"Content-Length: {len(text)}", "Content-Type: application/json"]
            lines += [f"{name}: {value}" for name, value in more.items()]
            writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + (text[:-1] if options.cut else text))
            await writer.drain()
            if options.close or options.cut:
                break
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def main():
    context = None
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate)
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


asyncio.run(main())
