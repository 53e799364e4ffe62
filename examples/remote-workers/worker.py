#!/usr/bin/env python3
"""A worker for Millrace that needs nothing but Python 3.9: MILLRACE_URL, MILLRACE_KEY (an API key of role worker), MILLRACE_JOB_TYPES."""
import http.client, json, os, signal, socket, sys, threading, time
from urllib import error, request

URL = os.environ.get("MILLRACE_URL", "http://127.0.0.1:4000").rstrip("/") + "/api/v1/worker"
KEY = os.environ["MILLRACE_KEY"]
NAME = f"{socket.gethostname()}-{os.getpid()}"
TYPES = os.environ.get("MILLRACE_JOB_TYPES", "echo").split(",")
stopping = threading.Event()

class LostLease(Exception):
    """Another worker has the job, or it has ended: drop it."""

def call(path, body, patience=60):
    """Posts JSON. A server that is away is tried again for so many seconds: with the lease, a repeated call does no harm."""
    headers = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}
    deadline = time.monotonic() + patience
    while True:
        try:
            with request.urlopen(request.Request(URL + path, json.dumps(body).encode(), headers), timeout=90) as answer:
                return json.loads(answer.read() or b"null")
        except error.HTTPError as refused:
            problem = json.loads(refused.read() or b"{}")
            if problem.get("code") == "LOST_LEASE":
                raise LostLease(problem.get("detail"))
            failed = RuntimeError(f"{refused.code} {problem.get('code')}: {problem.get('detail')}")
            if refused.code < 500 and refused.code != 429:
                raise failed
        except (OSError, ValueError, http.client.HTTPException) as broken:
            failed = broken
        if time.monotonic() > deadline:
            raise failed
        time.sleep(1)

def handle(job, progress):
    """Your work: what it returns is the job's result, what it raises fails the run, which is tried again by its policy."""
    steps = int(job["payload"].get("steps", 1))
    for step in range(steps):
        time.sleep(job["payload"].get("durationMs", 0) / 1000 / steps)
        progress(percent=100 * (step + 1) / steps, stage="echo")
    return {"echo": job["payload"].get("message"), "by": NAME}

def run(job):
    path, lease = f"/jobs/{job['job_id']}", {"run_no": job["run_no"], "token": job["token"]}
    ended, unwanted = threading.Event(), threading.Event()

    def beat():
        while not ended.wait(job["lease_seconds"] / 3):
            try:
                leases = [{"job_id": job["job_id"], **lease}]
                beats = call("/heartbeat", {"worker": NAME, "leases": leases}, job["lease_seconds"])["heartbeats"]
                if beats[0]["state"] != "renewed":
                    unwanted.set()  # also for a cancel: giving the job back ends it as canceled
            except Exception as failed:
                print("heartbeat:", failed, file=sys.stderr)

    def progress(**facts):
        if unwanted.is_set() or stopping.is_set():
            raise InterruptedError
        call(path + "/progress", {**lease, **facts})

    threading.Thread(target=beat, daemon=True).start()
    try:
        call(path + "/complete", {**lease, "result": handle(job, progress)})
    except (InterruptedError, LostLease):
        call(path + "/release", lease)
    except Exception as failed:
        call(path + "/fail", {**lease, "type": type(failed).__name__, "message": str(failed)})
    finally:
        ended.set()

signal.signal(signal.SIGTERM, lambda *_: stopping.set())
while not stopping.is_set():
    try:
        for claimed in call("/claim", {"worker": NAME, "job_types": TYPES, "wait_seconds": 5}, 3600)["jobs"]:
            run(claimed)
    except LostLease as gone:
        print("dropped:", gone, file=sys.stderr)
