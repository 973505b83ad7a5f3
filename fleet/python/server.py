"""A server of the Size Chart Service API on limiter libraries for Python."""

import json
import math
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import parse_qs, urlsplit

WINDOW = 60
LIMITS = {"read": 100, "write": 30}
RESTRICTED = os.environ.get("RESTRICTED", "")
ACCEPTED = {key for key in [*os.environ.get("KEYS", "").split(","), RESTRICTED] if key}


def with_limits(strategy):
    """The package `limits`: each of its strategies counts and tells in two steps, so that a lock makes one of them."""
    from limits import RateLimitItemPerMinute, storage, strategies

    limiter = getattr(strategies, strategy)(storage.MemoryStorage())
    items = {kind: RateLimitItemPerMinute(limit) for kind, limit in LIMITS.items()}
    lock = Lock()

    def consume(key, kind):
        with lock:
            allowed = limiter.hit(items[kind], key, kind)
            reset, remaining = limiter.get_window_stats(items[kind], key, kind)
        return allowed, remaining if allowed else 0, reset

    return consume


def with_throttled(using):
    """The package `throttled-py`."""
    from throttled import Throttled, rate_limiter, store

    memory = store.MemoryStore()
    throttles = {
        kind: Throttled(using=using, quota=rate_limiter.per_min(limit), store=memory) for kind, limit in LIMITS.items()
    }

    def consume(key, kind):
        result = throttles[kind].limit(f"{key} {kind}")
        return not result.limited, result.state.remaining, time.time() + result.state.reset_after

    return consume


def with_pyrate(algorithm, second=None):
    """The package `pyrate-limiter`, its clock in ms of uptime; `second` is a limit a second besides."""
    import pyrate_limiter

    rates = {kind: pyrate_limiter.Rate(limit, WINDOW * 1000) for kind, limit in LIMITS.items()}
    besides = [pyrate_limiter.Rate(second, 1000)] if second else []
    policy = getattr(pyrate_limiter, algorithm)()
    buckets = {}
    lock = Lock()

    def consume(key, kind):
        with lock:
            bucket = buckets.setdefault((key, kind), pyrate_limiter.InMemoryBucket([*besides, rates[kind]], policy))
            now = bucket.now()
            bucket.leak(now)
            allowed = bucket.put(pyrate_limiter.RateItem(key, now))
            remaining = LIMITS[kind] - bucket.count()
            left = policy.retry_after(rates[kind], now, bucket.peek(bucket.count() - 1).timestamp)
        return allowed, remaining, time.time() + left / 1000

    return consume


def with_ratelimit():
    """The package `ratelimit`: a decorator for each budget."""
    import ratelimit

    budgets = {}
    lock = Lock()

    def consume(key, kind):
        with lock:
            if (key, kind) not in budgets:
                decorator = ratelimit.RateLimitDecorator(calls=LIMITS[kind], period=WINDOW)
                budgets[key, kind] = decorator, decorator(lambda: None)
            decorator, count = budgets[key, kind]
            try:
                count()
                allowed = True
            except ratelimit.RateLimitException:
                allowed = False
            left = decorator.last_reset + WINDOW - decorator.clock()
            return allowed, LIMITS[kind] - decorator.num_calls, time.time() + left

    return consume


LIMITERS = {
    "limits-fixed": lambda: with_limits("FixedWindowRateLimiter"),
    "limits-moving": lambda: with_limits("MovingWindowRateLimiter"),
    "limits-sliding-counter": lambda: with_limits("SlidingWindowCounterRateLimiter"),
    "throttled-gcra": lambda: with_throttled("gcra"),
    "throttled-token-bucket": lambda: with_throttled("token_bucket"),
    "throttled-leaking-bucket": lambda: with_throttled("leaking_bucket"),
    "throttled-sliding-window": lambda: with_throttled("sliding_window"),
    "pyrate-limiter": lambda: with_pyrate("SlidingWindowLog"),
    "pyrate-limiter-fixed": lambda: with_pyrate("FixedWindow"),
    "pyrate-limiter-second": lambda: with_pyrate("SlidingWindowLog", 20),
    "ratelimit": with_ratelimit,
}
consume = LIMITERS[os.environ["LIMITER"]]()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        bearer = re.match(r"Bearer (.*)$", self.headers.get("Authorization", ""))
        key = self.headers.get("X-API-Key") or (bearer and bearer[1]) or ""
        kind = "read" if self.command == "GET" else "write"
        if key not in ACCEPTED:
            return self.answer(401, kind, LIMITS[kind], time.time() + WINDOW)
        allowed, remaining, reset = consume(key, kind)
        if not allowed:
            status = 429
        elif kind == "write" and key == RESTRICTED:
            status = 403
        else:
            status = operate(self.command, self.path, body)
        self.answer(status, kind, remaining, reset)

    do_GET = do_PUT = do_POST = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = serve

    def answer(self, status, kind, remaining, reset):
        body = json.dumps({"status": status}).encode()
        self.send_response_only(status)
        self.send_header("Date", self.date_time_string())
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-RateLimit-Limit", str(LIMITS[kind]))
        self.send_header("X-RateLimit-Remaining", str(max(0, int(remaining))))
        self.send_header("X-RateLimit-Reset", str(math.ceil(reset)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def operate(method, path, body):
    """The status of an operation that is allowed."""
    url = urlsplit(path)
    request = f"{method} {url.path.removeprefix('/api/v1')}" if url.path.startswith("/api/v1/") else ""
    if request in ("PUT /service", "PUT /categories/1", "POST /labels"):
        try:
            return 200 if isinstance(json.loads(body)["name"], str) else 400
        except (ValueError, KeyError, TypeError):
            return 400
    if request == "GET /categories":
        page = parse_qs(url.query, keep_blank_values=True).get("page", ["1"])[0]
        return 200 if re.fullmatch(r"[1-9]\d*", page) else 400
    return {"GET /service": 200, "GET /service/failure": 500, "GET /labels/1": 200}.get(request, 404)


class Server(ThreadingHTTPServer):
    request_queue_size = 512
    daemon_threads = True


Server(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
