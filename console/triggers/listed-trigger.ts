import type { TriggersResult } from '../api/operations.gen.ts';

/** A trigger of a list, with its latest runs. */
export type ListedTrigger = NonNullable<TriggersResult['triggers']>['nodes'][number];
