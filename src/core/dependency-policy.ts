/**
 * What a job does when one that it waits for ends as `failed`, `dead_letter` or `canceled`: ends as
 * `canceled` too (`parent_failed`), is skipped (canceled as `skipped`, which its own children take for
 * success), or runs all the same.
 */
export type DependencyPolicy = 'cancel' | 'skip' | 'run';
