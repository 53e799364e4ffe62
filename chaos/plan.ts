import type { Static } from 'typebox';
import type { DependencyPolicy } from '../src/core/queue.ts';
import { fair, free, type payload, scarce } from './definitions.ts';
import { oneOf, type Random, whole } from './random.ts';

export const TENANT_COUNT = 4;

/** One job that the suite is going to enqueue. */
export interface PlannedJob {
  readonly tenant: number;
  readonly definitionKey: string;
  readonly priority: number;
  readonly delayMs: number;
  readonly payload: Static<typeof payload>;
  /** Earlier jobs of the same tenant, by their place in the plan. */
  readonly dependsOn: readonly { readonly n: number; readonly policy: DependencyPolicy }[];
  /** Somebody asks to cancel it soon after it was enqueued. */
  readonly canceled: boolean;
}

const KEYS = [free.key, free.key, free.key, scarce.key, fair.key];

/** Jobs that are enqueued together depend on none of each other: their ids are not known yet. */
export const GROUP_SIZE = 25;

/** The jobs of one seed, in the order in which they are enqueued. */
export function planJobs(count: number, random: Random): readonly PlannedJob[] {
  const planned: PlannedJob[] = [];
  for (let n = 0; n < count; n++) {
    const definitionKey = oneOf(random, KEYS);
    const chance = random();
    // A group is one call, so one tenant's.
    const tenant = Math.floor(n / GROUP_SIZE) % TENANT_COUNT;
    planned.push({
      tenant,
      definitionKey,
      priority: oneOf(random, [10, 100, 100, 100, 500]),
      delayMs: chance < 0.1 ? whole(random, 50, 2_000) : 0,
      payload: {
        n,
        ms: durationMs(definitionKey, random),
        fails: chance > 0.9 ? whole(random, 1, 4) : 0,
        permanent: chance > 0.87 && chance <= 0.9,
        snoozes: chance > 0.8 && chance <= 0.87 ? whole(random, 1, 3) : 0,
        deaf: random() < 0.2,
      },
      dependsOn: random() < 0.15 ? parents(n, tenant, random) : [],
      canceled: random() < 0.02,
    });
  }
  return planned;
}

/** Mostly brief; some are long enough that whatever happens to a worker happens to one of them. */
function durationMs(definitionKey: string, random: Random): number {
  // Jobs under a limit are short, or their lane would still be waiting when all else is done.
  if (definitionKey !== free.key) return whole(random, 0, 40);
  return random() < 0.08 ? whole(random, 500, 2_500) : whole(random, 0, 200);
}

function parents(n: number, tenant: number, random: Random): PlannedJob['dependsOn'] {
  const group = Math.floor(n / GROUP_SIZE);
  const chosen = new Map<number, DependencyPolicy>();
  for (let wanted = whole(random, 1, 3); wanted > 0; wanted--) {
    const back = TENANT_COUNT * whole(random, 1, 3);
    if (group < back) continue;
    const parent = (group - back) * GROUP_SIZE + whole(random, 0, GROUP_SIZE - 1);
    chosen.set(parent, oneOf(random, ['cancel', 'skip', 'run'] as const));
  }
  if (Math.floor(n / GROUP_SIZE) % TENANT_COUNT !== tenant) return [];
  return [...chosen].map(([parent, policy]) => ({ n: parent, policy }));
}
