import type { TriggersResult } from '../api/operations.gen.ts';

/** A trigger as lists show it. */
export type ListedTrigger = NonNullable<TriggersResult['triggers']>['nodes'][number];
