import { checkTickSize, DEFAULT_TICK_JOBS, type RunTick, type TickResult } from '../core/tick.ts';

export interface JobsTickOptions {
  /** A running worker; opened with `claiming: 'onTick'` it runs nothing but ticks. */
  readonly worker: { readonly tick: RunTick };
  /** Jobs at most, 1 to 100; 10 by default. */
  readonly max?: number;
}

/**
 * Claims at most `max` runnable jobs and runs them in this process, through the worker's own executor:
 * timeouts, leases, cancels and the definitions' retry policies are those of any other run. Resolves when
 * they are settled.
 * @throws DomainError `InvalidArgument` for another `max`; whatever the database throws while it is away
 */
export function runJobsTick({ worker, max = DEFAULT_TICK_JOBS }: JobsTickOptions): Promise<TickResult> {
  return worker.tick(checkTickSize(max));
}
