export interface Grouping {
  /** Groups that are worked on at once. */
  readonly concurrency: number;
  readonly groupSize: number;
}

/**
 * Works on items in groups, in their order, several groups at once. Towards the end groups are smaller, so
 * that all end at about the same time. The first error stops what has not begun, and is thrown when the rest
 * has ended.
 */
export async function inGroups<Item>(
  items: readonly Item[],
  { concurrency, groupSize }: Grouping,
  work: (group: readonly Item[]) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const share = Math.ceil((items.length - next) / concurrency);
      const group = items.slice(next, next + Math.min(groupSize, share));
      next += group.length;
      await work(group).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, run));
  if (failures.length > 0) throw failures[0];
}
