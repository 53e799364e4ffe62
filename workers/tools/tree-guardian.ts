import { spawn } from 'node:child_process';
import { OWN_MARK } from './process-mark.ts';

const SHELL = '/bin/sh';

/**
 * Waits until the pipe from us is closed, which the kernel does however we die, and kills what carries our
 * mark. `$0` is the mark. It looks until nothing is found, since a process may fork meanwhile.
 */
const SCRIPT = `
while read -r line; do :; done
look=0
while [ $look -lt 10 ]; do
  found=
  for entry in /proc/[0-9]*; do
    if grep -qsF "MILLRACE_PROCESS=$0." "$entry/environ"; then
      kill -KILL "\${entry#/proc/}" 2>/dev/null && found=1
    fi
  done
  [ -n "$found" ] || exit 0
  look=$((look + 1))
done`;

let isStarted = false;

/**
 * Starts, once, a small process that outlives this one by a moment and ends the programs that it has left: a
 * worker that is killed cannot end them itself, and the kernel's signal (see `childGuard`) reaches only those
 * that it started itself, not what a wrapper started. Linux only. Without a shell nothing is started, and the
 * next worker's sweep of job directories ends them.
 */
export function startTreeGuardian(): void {
  if (isStarted || process.platform !== 'linux') return;
  isStarted = true;
  const guardian = spawn(SHELL, ['-c', SCRIPT, OWN_MARK], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    // A signal to our group must not end it before us.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guardian.on('error', () => undefined);
  guardian.stdin.on('error', () => undefined);
  // It keeps no process that has nothing else to do.
  guardian.unref();
  (guardian.stdin as unknown as { unref?: () => void }).unref?.();
}
