import type fc from 'fast-check';
import type { Model } from './model.ts';
import { compare, type System } from './system.ts';

/** A step that is taken on both sides; afterwards every row must be as the model says. */
export type Command = fc.AsyncCommand<Model, System>;

/**
 * Makes one.
 * @param text how a failing sequence shows it
 * @param possible whether the model allows it at this point
 * @param run acts on the real queue, checks its answer, and moves the model
 */
export function command(
  text: string,
  possible: (model: Model) => boolean,
  run: (model: Model, system: System) => Promise<void>,
): Command {
  return {
    check: possible,
    run: async (model, system) => {
      await run(model, system);
      await compare(system, model, text);
    },
    toString: () => text,
  };
}

/** The n-th of a list, going round. */
export function pick<T>(list: readonly T[], n: number): T {
  const found = list[n % list.length];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

/** Ids of the jobs that a condition holds for. */
export function jobsWhere(
  model: Model,
  condition: (job: Model['jobs'] extends Map<string, infer Job> ? Job : never) => boolean,
): readonly string[] {
  return [...model.jobs].filter(([, job]) => condition(job)).map(([id]) => id);
}
