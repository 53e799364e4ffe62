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

/** Measures runs that have their process for themselves. */
export class CpuMeter {
  readonly #active = new Set<Reading>();

  begin(): CpuReading {
    const reading = new Reading((ended) => this.#active.delete(ended), this.#active.size === 0);
    if (this.#active.size > 0) for (const other of this.#active) other.share();
    this.#active.add(reading);
    return reading;
  }
}

class Reading implements CpuReading {
  readonly #onEnd: (reading: Reading) => void;
  readonly #before: NodeJS.CpuUsage | undefined;
  #childrenBeforeMs: number | null | undefined;
  #shared: boolean;

  /** @param isAlone reading the time costs as much as half a small job: it is left away where nothing could come of it */
  constructor(onEnd: (reading: Reading) => void, isAlone: boolean) {
    this.#onEnd = onEnd;
    this.#shared = !isAlone;
    if (!isAlone) return;
    this.#before = recentUsage();
    // Not yet: those that were claimed together begin in this same turn, and then there is nothing to read.
    queueMicrotask(() => {
      if (!this.#shared) this.#childrenBeforeMs = childrenCpuMs();
    });
  }

  share(): void {
    this.#shared = true;
  }

  readMs(): number | null {
    if (this.#shared || this.#before === undefined) return null;
    const now = recentUsage();
    const ownMicroseconds = now.user + now.system - this.#before.user - this.#before.system;
    const before = this.#childrenBeforeMs ?? null;
    const childrenMs = before === null ? 0 : (childrenCpuMs() ?? before) - before;
    return ownMicroseconds / 1000 + childrenMs;
  }

  end(): void {
    this.#onEnd(this);
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
