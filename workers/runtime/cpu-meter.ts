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
    this.#before = process.cpuUsage();
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
    const { user, system } = process.cpuUsage(this.#before);
    const before = this.#childrenBeforeMs ?? null;
    const childrenMs = before === null ? 0 : (childrenCpuMs() ?? before) - before;
    return (user + system) / 1000 + childrenMs;
  }

  end(): void {
    this.#onEnd(this);
  }
}

/** Of this process, however many workers run in it. */
export const processCpu = new CpuMeter();
