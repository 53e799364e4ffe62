const SETPRIV = '/usr/bin/setpriv';
const GUARD = [SETPRIV, '--pdeathsig', 'KILL', '--'] as const;

let guard: Promise<readonly string[]> | undefined;

/**
 * The argv to put before a program so that the kernel kills it when we die: a worker that is killed with
 * SIGKILL cannot end its ffmpeg, which would go on for hours beside the next worker's. util-linux' `setpriv`
 * asks for it on Linux; where that is missing the list is empty, and such a process is ended by the next
 * sweep of job directories.
 * @param succeeds runs an argv and says whether it exited with 0 (BusyBox has a setpriv without this option,
 *   so it is tried rather than looked for)
 */
export function orphanGuard(
  succeeds: (argv: readonly string[]) => Promise<boolean>,
): Promise<readonly string[]> {
  guard ??=
    process.platform === 'linux'
      ? succeeds([...GUARD, SETPRIV, '--version']).then((works) => (works ? GUARD : []))
      : Promise.resolve([]);
  return guard;
}
