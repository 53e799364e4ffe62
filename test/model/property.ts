import fc from 'fast-check';
import type { JobQueue } from '../../src/core/queue.ts';
import type { TestQueue } from '../support/queue.ts';
import type { Command } from './command.ts';
import { checkInvariants } from './invariants.ts';
import { emptyModel } from './model.ts';
import { producerCommands } from './producer-commands.ts';
import { surroundingsCommands } from './surroundings-commands.ts';
import { emptySystem } from './system.ts';
import { workerCommands } from './worker-commands.ts';

export interface ModelRun {
  /** Sequences to try. */
  readonly sequences: number;
  /** Steps in the longest. */
  readonly steps: number;
  /** No new sequence begins after this time. */
  readonly limitMs: number;
  readonly seed?: number;
}

/**
 * Random sequences of what producers, workers, the rescuer, operators and the clock do, each step on the real
 * queue and on the model. What fails is shown with its seed and, unless `shrink` is false, in its shortest
 * form.
 * @param queue the queue under test, by default the real one on this database
 * @returns how many sequences were run, and which statuses and ends of runs they came to
 * @throws Error with seed, path and sequence when the two differ
 */
export async function checkQueueAgainstModel(
  q: TestQueue,
  { sequences, steps, limitMs, seed }: ModelRun,
  { queue = q.queue, shrink = true }: { readonly queue?: JobQueue; readonly shrink?: boolean } = {},
): Promise<{ readonly sequences: number; readonly reached: ReadonlySet<string> }> {
  const kinds: readonly fc.Arbitrary<Command>[] = [
    ...producerCommands,
    ...workerCommands,
    ...surroundingsCommands,
  ];
  const commands = fc.commands([...kinds], { maxCommands: steps, size: 'max' });
  const reached = new Set<string>();
  let run = 0;
  const take = async (sequence: Iterable<Command>): Promise<void> => {
    run++;
    const system = await emptySystem(q, queue);
    const model = emptyModel();
    await fc.asyncModelRun(() => ({ model, real: system }), sequence);
    for (const job of model.jobs.values()) for (const what of [job.status, ...job.runs]) reached.add(what);
    await checkInvariants(system);
  };
  let last: Promise<void> = Promise.resolve();
  const property = fc.asyncProperty(commands, async (sequence) => {
    last = take(sequence);
    await last;
  });
  try {
    await fc.assert(property, {
      numRuns: sequences,
      interruptAfterTimeLimit: limitMs,
      markInterruptAsFailure: false,
      endOnFailure: !shrink,
      ...(seed === undefined ? {} : { seed }),
    });
  } finally {
    // When its time is up it does not wait for the sequence that is under way, which would go on beside
    // whatever comes next.
    await last.catch(() => undefined);
  }
  return { sequences: run, reached };
}
