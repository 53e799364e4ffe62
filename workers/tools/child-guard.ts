const SETPRIV = '/usr/bin/setpriv';
const PRLIMIT = '/usr/bin/prlimit';
const DIES_WITH_US = [SETPRIV, '--pdeathsig', 'KILL', '--'] as const;

const limited = (bytes: number): readonly string[] => [PRLIMIT, `--as=${bytes}`, '--core=0', '--'];
/** Enough for the trial of `prlimit` itself. */
const TRIAL_BYTES = 2 ** 30;

let memoryLimitBytes: number | null = 4 * 2 ** 30;
let tried: Promise<{ readonly deathSignal: boolean; readonly limit: boolean }> | undefined;

/** What goes before a program's own argv. */
export interface ChildGuard {
  readonly argv: readonly string[];
  /** Address space that the program may take; null where nothing limits it. */
  readonly memoryLimitBytes: number | null;
}

/**
 * Sets how much memory each program that this process starts from now on may take; 4 GiB until then.
 * @param bytes of address space; null for no limit
 */
export function limitChildMemory(bytes: number | null): void {
  memoryLimitBytes = bytes;
}

/**
 * The argv to put before a program, of what this machine has (util-linux on Linux; elsewhere it is empty):
 * - `setpriv` asks the kernel to kill the program when we die, for a worker that is killed cannot end its
 *   ffmpeg itself,
 * - `prlimit` bounds its memory, so that one file cannot take the machine's.
 * @param succeeds runs an argv and says whether it exited with 0 (BusyBox has a setpriv without this option,
 *   so it is tried rather than looked for)
 * @param limitBytes of address space for this program; by default what `limitChildMemory` has set
 */
export async function childGuard(
  succeeds: (argv: readonly string[]) => Promise<boolean>,
  limitBytes: number | null = memoryLimitBytes,
): Promise<ChildGuard> {
  tried ??= tryOut(succeeds);
  const { deathSignal, limit } = await tried;
  const bytes = limit ? limitBytes : null;
  return {
    argv: [...(bytes === null ? [] : limited(bytes)), ...(deathSignal ? DIES_WITH_US : [])],
    memoryLimitBytes: bytes,
  };
}

async function tryOut(succeeds: (argv: readonly string[]) => Promise<boolean>) {
  if (process.platform !== 'linux') return { deathSignal: false, limit: false };
  const [deathSignal, limit] = await Promise.all([
    succeeds([...DIES_WITH_US, SETPRIV, '--version']),
    succeeds([...limited(TRIAL_BYTES), PRLIMIT, '--version']),
  ]);
  return { deathSignal, limit };
}
