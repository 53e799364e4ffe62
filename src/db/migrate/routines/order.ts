import type { RoutineFile, RoutineKind } from './routine-file.ts';

const RANKS: Readonly<Record<RoutineKind, number>> = { function: 0, view: 1, trigger: 2, policies: 3 };

/** An enqueue waits from the first of these on until the commit. */
const LAST = 4;

function rankOf({ kind, sql }: RoutineFile): number {
  return kind === 'trigger' && /\bon millrace\.jobs\b/.test(sql) ? LAST : RANKS[kind];
}

/**
 * Functions, then views, triggers and policies, and the triggers of jobs last, each in the order of their
 * paths, but none before those that it needs. The body of a PL/pgSQL function needs nothing; an SQL body that
 * Postgres parses at once (RETURN, BEGIN ATOMIC) needs all that it names.
 * @throws Error for a name that two have, for needs that nobody meets or that go in a circle
 */
export function inOrder(files: readonly RoutineFile[]): readonly RoutineFile[] {
  const byName = new Map<string, RoutineFile>();
  for (const file of files) {
    const key = keyOf(file);
    const other = byName.get(key);
    if (other !== undefined) throw new Error(`${other.path} and ${file.path} have the same name`);
    byName.set(key, file);
  }
  const done = new Set<RoutineFile>();
  const visit = (file: RoutineFile, above: readonly RoutineFile[]): void => {
    if (done.has(file)) return;
    if (above.includes(file)) {
      throw new Error(`routines need each other: ${[...above, file].map(({ path }) => path).join(' → ')}`);
    }
    for (const need of file.needs) {
      const needed = byName.get(`function ${need}`) ?? byName.get(`view ${need}`);
      if (needed === undefined) throw new Error(`${file.path} needs ${need}, which has no file`);
      visit(needed, [...above, file]);
    }
    done.add(file);
  };
  const sorted = [...files].sort((a, b) => rankOf(a) - rankOf(b) || (a.path < b.path ? -1 : 1));
  for (const file of sorted) visit(file, []);
  return [...done];
}

/** `function claim_jobs`: what a routine is called among all. */
export function keyOf({ kind, name }: Pick<RoutineFile, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}
