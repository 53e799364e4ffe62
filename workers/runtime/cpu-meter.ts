import { childrenCpuMs } from '../tools/children-cpu.ts';

/** The CPU time of one run. */
export interface CpuReading {
  /**
   * Milliseconds so far, its programs (ffmpeg) included where the system tells; null when another run was under way in this
   * process at any time, since the process's time can't be shared out among them.
   */
  readMs(): number | null;
  /** Its handler has really ended. May be called any number of times. */
  end(): void;
}

interface Counts {
  /** Runs whose handlers are at work, … */
  active: number;
  /** … and how many have begun in all: a run that finds another number than at its beginning was not alone. */
  begun: number;
}

/** Measures runs that have their process for themselves. */
export class CpuMeter {
  readonly #counts: Counts = { active: 0, begun: 0 };

  begin(): CpuReading {
    const counts = this.#counts;
    counts.begun++;
    return new Reading(counts, counts.active++ === 0 ? counts.begun : null);
  }
}

class Reading implements CpuReading {
  /** Of all readings of its meter. */
  readonly #counts: Counts;
  /** Its number, if it began alone. */
  readonly #no: number | null;
  readonly #before: NodeJS.CpuUsage | undefined;
  #childrenBeforeMs: number | null | undefined;
  #isEnded = false;
  /** What it was at the end: the run may be settled much later, when others are at work. */
  #endMs: number | null = null;

  /** @param no reading the time costs as much as half a small job: it is left away where nothing could come of it */
  constructor(counts: Counts, no: number | null) {
    this.#counts = counts;
    this.#no = no;
    if (no === null) return;
    this.#before = recentUsage();
    // Not yet: those that were claimed together begin in this same turn, and then there is nothing to read.
    queueMicrotask(() => {
      if (this.#counts.begun === no) this.#childrenBeforeMs = childrenCpuMs();
    });
  }

  readMs(): number | null {
    if (this.#isEnded) return this.#endMs;
    if (this.#before === undefined || this.#counts.begun !== this.#no) return null;
    const now = recentUsage();
    const ownMicroseconds = now.user + now.system - this.#before.user - this.#before.system;
    const before = this.#childrenBeforeMs ?? null;
    const childrenMs = before === null ? 0 : (childrenCpuMs() ?? before) - before;
    return ownMicroseconds / 1000 + childrenMs;
  }

  end(): void {
    if (this.#isEnded) return;
    this.#endMs = this.readMs();
    this.#isEnded = true;
    this.#counts.active--;
  }
}

const USAGE_GOOD_MS = 1;
let usage: NodeJS.CpuUsage = { user: 0, system: 0 };
let usageAtMs = Number.NEGATIVE_INFINITY;

/** Asking the system takes 20 µs, a sixth of what a small job costs its worker; a millisecond more or less is no matter. */
function recentUsage(): NodeJS.CpuUsage {
  const nowMs = performance.now();
  if (nowMs - usageAtMs > USAGE_GOOD_MS) {
    usage = process.cpuUsage();
    usageAtMs = nowMs;
  }
  return usage;
}

/** Of this process, however many workers run in it. */
export const processCpu = new CpuMeter();
