import type { DependencyPolicy } from './dependency-policy.ts';
import { PermanentError } from './errors.ts';
import type { Subject } from './job.ts';

/**
 * A job that a handler asks for with its result. It is enqueued in the transaction that settles the handler's
 * own job, or not at all.
 */
export interface NextJobInput {
  /** The definition, or its key. */
  readonly definition: string | { readonly key: string };
  readonly payload: unknown;
  /** A name within this list, for `after` of others. */
  readonly key?: string;
  /** Names of jobs of this list that must end first. */
  readonly after?: readonly string[];
  /** What it does when one of those does not end well: `cancel` by default. */
  readonly policy?: DependencyPolicy;
  /** Not before this many seconds from now. */
  readonly delaySeconds?: number;
  /** The job's own by default. */
  readonly priority?: number;
  readonly dedupeKey?: string | null;
  /** What it is about; the job's own subject by default. */
  readonly subject?: Subject | null;
  readonly maxAttempts?: number;
  readonly timeoutSeconds?: number;
}

/** Jobs that one handler may ask for. */
const MAX_NEXT = 1_000;

/**
 * The jobs in groups, each of which waits for none but those of groups before it. Pure.
 * @returns indexes into the list
 * @throws PermanentError `InvalidOutcome` for what is no list of jobs, names that are missing or given twice,
 *   and circles
 */
export function inDependencyOrder(next: readonly NextJobInput[]): readonly (readonly number[])[] {
  if (!Array.isArray(next)) throw invalid('next is no list');
  if (next.length > MAX_NEXT) throw invalid(`next has ${next.length} jobs; allowed: at most ${MAX_NEXT}`);
  const indexOf = new Map<string, number>();
  for (const [index, job] of next.entries()) {
    if (definitionKeyOf(job) === null) throw invalid(`next[${index}].definition is no definition and no key`);
    if (job.key === undefined) continue;
    if (indexOf.has(job.key)) throw invalid(`next[${index}].key: "${job.key}" is given twice`);
    indexOf.set(job.key, index);
  }
  const parents = next.map(({ after = [] }, index) =>
    after.map((name: string) => {
      const found = indexOf.get(name);
      if (found === undefined)
        throw invalid(`next[${index}].after: no job of this list has the key "${name}"`);
      return found;
    }),
  );
  const groups: number[][] = [];
  const done = new Set<number>();
  while (done.size < next.length) {
    const group = [...next.keys()].filter(
      (index) => !done.has(index) && (parents[index] ?? []).every((parent: number) => done.has(parent)),
    );
    if (group.length === 0) throw invalid('next: some jobs wait for each other in a circle');
    groups.push(group);
    for (const index of group) done.add(index);
  }
  return groups;
}

/** The key of a job's definition; null where it names none. */
export function definitionKeyOf(job: NextJobInput | null | undefined): string | null {
  const definition: unknown = job?.definition;
  if (typeof definition === 'string') return definition;
  const key: unknown = (definition as { readonly key?: unknown } | null | undefined)?.key;
  return typeof key === 'string' ? key : null;
}

function invalid(message: string): PermanentError {
  return new PermanentError(
    'InvalidOutcome',
    `The handler returned done with next jobs that cannot be enqueued: ${message}`,
  );
}
