import type DataLoader from 'dataloader';
import { builder } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { TenantType } from '../../../graphql/types/tenant.ts';
import { readTenantQueue, type TenantQueue, tenantQueues } from '../use-cases/tenant-queues.ts';

const TenantQueueType = builder.objectRef<TenantQueue>('TenantQueue').implement({
  description: 'How the queue of a tenant stands.',
  fields: (t) => ({
    readyCount: t.exposeInt('readyCount', { description: 'Queued jobs that a worker may take.' }),
    delayedCount: t.exposeInt('delayedCount', { description: 'Queued jobs whose time has not come.' }),
    waitingCount: t.exposeInt('waitingCount', { description: 'Queued jobs that wait for other jobs.' }),
    runningCount: t.exposeInt('runningCount', { description: 'Running jobs.' }),
    oldestReadyAt: t.expose('oldestReadyAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when the oldest job could have run that nobody has taken; null when there is none.',
    }),
    oldestReadySeconds: t.float({
      nullable: true,
      description: 'How long that is.',
      resolve: ({ oldestReadyAt, measuredAt }) =>
        oldestReadyAt === null ? null : Math.max(0, (measuredAt.getTime() - oldestReadyAt.getTime()) / 1_000),
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'False when there are 10,000 jobs of a kind or more: then there are at least that many.',
    }),
  }),
});

const loaders = new WeakMap<object, DataLoader<string, TenantQueue | null>>();

/** One loader an operation: a page of tenants is one statement. */
function queuesOf({ operation, deps, actor }: GraphqlContext): DataLoader<string, TenantQueue | null> {
  const known = loaders.get(operation);
  if (known !== undefined) return known;
  const made = tenantQueues(deps.reads, actor.tenantId);
  loaders.set(operation, made);
  return made;
}

builder.objectField(TenantType, 'queue', (t) =>
  t.field({
    type: TenantQueueType,
    nullable: true,
    complexity: 5,
    description: 'How its queue stands. For super admins.',
    resolve: ({ id }, _args, context) => readTenantQueue(queuesOf(context), context.actor, id),
  }),
);
