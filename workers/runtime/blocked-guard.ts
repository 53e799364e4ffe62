import type { HeldLease } from './lease-batch.ts';
import type { LeaseRegistry } from './lease-registry.ts';

/**
 * Notices a main loop that a handler blocks beyond its deadline. A timeout cannot reach such a handler, and
 * its lease would be renewed forever: nobody else could have the job, nor those that were claimed beside it.
 */
export class BlockedGuard {
  readonly #pulse: Int32Array<SharedArrayBuffer>;
  readonly #blockedAfterMs: number;
  #lastPulse: number;
  #movedMs: number;
  #lookedMs: number;

  /** @param pulse a counter that the main loop moves on while it lives */
  constructor(pulse: Int32Array<SharedArrayBuffer>, blockedAfterMs: number, nowMs: number) {
    this.#pulse = pulse;
    this.#blockedAfterMs = blockedAfterMs;
    this.#lastPulse = Atomics.load(pulse, 0);
    this.#movedMs = nowMs;
    this.#lookedMs = nowMs;
  }

  /** To be called about twice a second, whatever else the thread waits for. */
  look(nowMs: number): void {
    const pulse = Atomics.load(this.#pulse, 0);
    // We stood still ourselves (SIGSTOP, a frozen machine), so the main loop did too: that is no blocking
    // handler.
    const weStoodStill = nowMs - this.#lookedMs > this.#blockedAfterMs / 3;
    if (pulse !== this.#lastPulse || weStoodStill) this.#movedMs = nowMs;
    this.#lastPulse = pulse;
    this.#lookedMs = nowMs;
  }

  isSilent(nowMs: number): boolean {
    return nowMs - this.#movedMs >= this.#blockedAfterMs;
  }

  /**
   * The runs that are past their deadline for as long as the main loop has been silent; empty when all is
   * well.
   * @param sharedMs the time in `monotonicMs`, which the runs' starts are of
   */
  blocking(registry: LeaseRegistry, nowMs: number, sharedMs: number): readonly HeldLease[] {
    return this.isSilent(nowMs) ? registry.pastDeadline(sharedMs - this.#blockedAfterMs) : [];
  }
}
