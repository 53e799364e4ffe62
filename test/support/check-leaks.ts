import { flushCompileCache } from 'node:module';
import { afterAll } from 'vitest';
import { stillRegistered } from './leaks.ts';
import { waitFor } from './wait.ts';

// Evaluated again for every test file (see vitest.config.ts): fails the file when something of it is still
// running at its end.

// Only a file that leaves something waits so long; the test of this very check has less patience.
const SETTLE_TIMEOUT_MS = Number(process.env['MILLRACE_TEST_SETTLE_MS'] ?? 100_000);
// What a program holds on to as long as it runs for its user: connections, servers, children, timers,
// watchers.
const WATCHED =
  /^(TCP|TLS|Pipe|UDP|Process|FSEvent|StatWatcher|Timeout|Immediate|Worker|MessagePort|TTY|Signal)/;

const before = countResources();

afterAll(async () => {
  // The process is ended by a signal, which would lose what it has compiled: the next one would compile it
  // again.
  flushCompileCache();
  try {
    await waitFor(() => leftOpen().length === 0, {
      describe: 'everything to be closed',
      timeoutMs: SETTLE_TIMEOUT_MS,
    });
  } catch {
    const left = leftOpen();
    if (left.length > 0) throw new Error(`this file leaves running: ${left.join('; ')}`);
  }
});

function leftOpen(): string[] {
  const left = stillRegistered();
  // This check's own pause is a timer, but it is over whenever we look.
  for (const [kind, count] of countResources()) {
    const extra = count - (before.get(kind) ?? 0);
    if (extra > 0) left.push(`${extra} × ${kind}${details(kind)}`);
  }
  return left;
}

function countResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (WATCHED.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** Which ones: undocumented, so nothing but the message depends on it. */
function details(kind: string): string {
  if (!('_getActiveHandles' in process) || typeof process._getActiveHandles !== 'function') return '';
  const handles: unknown[] = process._getActiveHandles();
  const names = handles.flatMap((handle) => {
    if (typeof handle !== 'object' || handle === null) return [];
    if (kind === 'ProcessWrap' && 'spawnfile' in handle && 'pid' in handle)
      return [`${handle.spawnfile} pid ${handle.pid}`];
    if (kind === 'TCPSocketWrap' && 'remotePort' in handle && handle.remotePort !== undefined)
      return [`to port ${handle.remotePort}`];
    return [];
  });
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
}
