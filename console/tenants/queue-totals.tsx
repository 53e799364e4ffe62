import { duration } from '../parts/time.ts';
import type { ListedTenant } from './tenant-acts.tsx';

const KINDS = [
  { name: 'Ready', count: 'readyCount' },
  { name: 'Running', count: 'runningCount' },
  { name: 'Later', count: 'delayedCount' },
  { name: 'Waiting for others', count: 'waitingCount' },
] as const;

/** How the queues of all listed tenants stand together. */
export function QueueTotals({ tenants }: { readonly tenants: readonly ListedTenant[] }) {
  const queues = tenants.flatMap(({ queue }) => (queue === null ? [] : [queue]));
  const isComplete = queues.every((queue) => queue.isComplete);
  const oldest = Math.max(-1, ...queues.map(({ oldestReadySeconds }) => oldestReadySeconds ?? -1));
  const most = tenants.toSorted((a, b) => (b.queue?.readyCount ?? 0) - (a.queue?.readyCount ?? 0))[0];
  return (
    <section className="figures" aria-label="All tenants">
      {KINDS.map(({ name, count }) => (
        <div key={name} className="figure">
          <p className="muted small">{name}</p>
          <p className="figure-value num">
            {isComplete ? '' : '≥ '}
            {queues.reduce((sum, queue) => sum + queue[count], 0).toLocaleString('en')}
          </p>
          <p className="muted small">
            {name === 'Ready'
              ? oldest < 0
                ? 'nothing waits for a worker'
                : `the oldest for ${duration(oldest * 1_000)}`
              : name === 'Running' && (most?.queue?.readyCount ?? 0) > 0
                ? `most are ready at ${most?.name}`
                : `of ${tenants.length} tenants`}
          </p>
        </div>
      ))}
    </section>
  );
}
