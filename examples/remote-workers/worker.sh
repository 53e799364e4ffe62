#!/usr/bin/env bash
# A worker for Millrace in bash, with curl and jq: MILLRACE_URL, MILLRACE_KEY (an API key of role worker), MILLRACE_JOB_TYPES.
set -u
url="${MILLRACE_URL:-http://127.0.0.1:4000}/api/v1/worker"
name="$(hostname)-$$"
types="${MILLRACE_JOB_TYPES:-echo}"
stopping=
trap 'stopping=1' TERM INT

# Posts $2 to $1. A server that is away, and an answer that was lost on its way, are tried again for two minutes: with the lease, a
# repeated call does no harm. What the server refuses is printed and fails.
post() {
  local answer status deadline=$((SECONDS + 120))
  while :; do
    answer="$(curl --silent --show-error --fail-with-body --max-time 90 --retry 60 --retry-delay 1 --retry-max-time 120 \
      --header "authorization: Bearer $MILLRACE_KEY" --header 'content-type: application/json' --data-binary "$2" "$url$1")"
    status=$?
    # 22 is a refusal; any other status but 0 is a connection that broke.
    if [ "$status" -eq 0 ] || [ "$status" -eq 22 ] || [ "$SECONDS" -ge "$deadline" ]; then break; fi
    sleep 1
  done
  printf '%s\n' "$answer"
  return "$status"
}

# Your work: a payload on standard input, the job's result as JSON on standard output. Any other exit status than 0 fails the run.
handle() {
  local payload
  payload="$(cat)"
  sleep "$(jq --raw-output '(.durationMs // 0) / 1000' <<<"$payload")"
  jq --compact-output --arg by "$name" '{echo: .message, by: $by}' <<<"$payload"
}

while [ -z "$stopping" ]; do
  claim="$(jq --null-input --compact-output --arg w "$name" --arg t "$types" '{worker: $w, job_types: ($t / ","), wait_seconds: 5}')"
  job="$(post /claim "$claim" | jq --compact-output '.jobs[0] // empty')" || { sleep 1; continue; }
  [ -n "$job" ] || continue
  id="$(jq --raw-output .job_id <<<"$job")"
  lease="$(jq --compact-output '{run_no, token}' <<<"$job")"
  beats="$(jq --compact-output --arg w "$name" '{worker: $w, leases: [{job_id, run_no, token}]}' <<<"$job")"
  worker=$$
  # Renews the lease for as long as this worker lives.
  (while sleep "$(jq '.lease_seconds / 3' <<<"$job")" && kill -0 "$worker" 2>/dev/null; do post /heartbeat "$beats" >/dev/null; done) &
  heartbeat=$!
  if result="$(jq --compact-output .payload <<<"$job" | handle)"; then
    post "/jobs/$id/complete" "$(jq --compact-output --argjson result "$result" '. + {result: $result}' <<<"$lease")" >/dev/null
  else
    post "/jobs/$id/fail" "$(jq --compact-output '. + {type: "ExitStatus", message: "The handler failed"}' <<<"$lease")" >/dev/null
  fi
  kill "$heartbeat" 2>/dev/null
  wait "$heartbeat" 2>/dev/null
done
