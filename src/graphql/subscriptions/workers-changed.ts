import { requireNeed } from '../../access/require-role.ts';
import { WorkerWatch } from '../../events/worker-watch.ts';
import type { WorkersEvent } from '../../events/workers-subscription.ts';
import { findWorkers, readWorkers } from '../../operations/workers.ts';
import { builder } from '../builder.ts';
import type { GraphqlDeps } from '../context.ts';
import { WorkerType } from '../types/worker.ts';
import { entityTopic } from './entity-topic.ts';

const watches = new WeakMap<GraphqlDeps['reads'], WorkerWatch>();

function watchOf({ reads }: GraphqlDeps): WorkerWatch {
  const known = watches.get(reads);
  if (known !== undefined) return known;
  const made = new WorkerWatch(() => readWorkers(reads));
  watches.set(reads, made);
  return made;
}

builder.subscriptionField('workersChanged', (t) =>
  t.field({
    type: [WorkerType],
    authScopes: { member: true },
    complexity: 50,
    description:
      'The worker processes: now, and again when one comes, goes, falls silent or changes, at most once a second. Each event is the whole list; there is no cursor. For super admins.',
    subscribe: async (_root, _args, { actor, deps }) => {
      // Asked once: role, scope and rate are checked as for the query.
      await findWorkers(deps.reads, actor);
      return entityTopic<WorkersEvent, ReturnType<WorkerWatch['subscribe']>>('workers', () =>
        watchOf(deps).subscribe(),
      );
    },
    resolve: ({ workers }: WorkersEvent, _args, { actor }) => {
      // Again with each event: rights may have changed since.
      requireNeed(actor, findWorkers.need);
      return [...workers];
    },
  }),
);
