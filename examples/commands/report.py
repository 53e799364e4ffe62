#!/usr/bin/env python3
"""A command that says how far it is and what came of it. The two variables are all that it knows of Millrace; without them it works as ever."""

import json
import os
import sys


def open_progress():
    descriptor = os.environ.get("MILLRACE_PROGRESS_FD")
    return os.fdopen(int(descriptor), "w", buffering=1) if descriptor else open(os.devnull, "w")


def main() -> int:
    words = sys.argv[1].split()
    lengths = []
    with open_progress() as progress:
        for number, word in enumerate(words, start=1):
            lengths.append(len(word))
            print(json.dumps({"percent": 100 * number // len(words), "stage": "count", "message": word}), file=progress)
            print(f"{word}: {len(word)}")
    result = os.environ.get("MILLRACE_RESULT_FILE")
    if result:
        with open(result, "w", encoding="utf-8") as file:
            json.dump({"words": len(words), "longest": max(lengths, default=0)}, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
