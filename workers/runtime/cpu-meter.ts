import { childrenCpuMs } from '../tools/children-cpu.ts';

/** The CPU time of one run. */
export interface CpuReading {
  /**
   * Milliseconds so far, its programs (ffmpeg) included where the system reports them; null when another run
   * was under way in this process at any time, since the process's time can't be shared out among them.
   */
  readMs(): number | null;
  /** Its handler has really ended. May be called any number of times. */
  end(): void;
}

interface Counts {
  /** Runs whose handlers are at work, … */
  active: number;
  /**
   * … and how many have begun in all: a run that finds another number than at its beginning was not alone.
   */
  begun: number;
}

/** Measures runs that have their process for themselves. */
export class CpuMeter {
  readonly #counts: Counts = { active: 0, begun: 0 };

  begin(): CpuReading {
    const counts = this.#counts;
    counts.begun++;
    return counts.active++ === 0 ? new Reading(counts) : new Crowded(counts);
  }
}

/** The reading of a run that began beside others: nothing. Small, since most small jobs have one. */
class Crowded implements CpuReading {
  #counts: Counts | undefined;

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  readMs(): null {
    return null;
  }

  end(): void {
    if (this.#counts !== undefined) this.#counts.active--;
    this.#counts = undefined;
  }
}

class Reading implements CpuReading {
  /** Shared by all readings of its meter. */
  readonly #counts: Counts;
  /** Its number. */
  readonly #no: number;
  readonly #before = recentUsage();
  #childrenBeforeMs: number | null | undefined;
  #isEnded = false;
  /** What it was at the end: the run may be settled much later, when others are at work. */
  #endMs: number | null = null;

  /** The newest, and alone. */
  constructor(counts: Counts) {
    this.#counts = counts;
    this.#no = counts.begun;
    // Not yet: those that were claimed together begin in this same turn, and then there is nothing to read.
    queueMicrotask(() => {
      if (counts.begun === this.#no) this.#childrenBeforeMs = childrenCpuMs();
    });
  }

  readMs(): number | null {
    if (this.#isEnded) return this.#endMs;
    if (this.#counts.begun !== this.#no) return null;
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

/**
 * Asking the system takes 20 µs, a sixth of what a small job costs its worker; a millisecond more or less is
 * no matter.
 */
function recentUsage(): NodeJS.CpuUsage {
  const nowMs = performance.now();
  if (nowMs - usageAtMs > USAGE_GOOD_MS) {
    usage = process.cpuUsage();
    usageAtMs = nowMs;
  }
  return usage;
}

/** The meter of this process, shared by its workers. */
export const processCpu = new CpuMeter();
