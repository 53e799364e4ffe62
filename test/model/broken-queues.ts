import type { ClaimedJob, JobQueue } from '../../src/core/queue.ts';
import type { TestQueue } from '../support/queue.ts';

/** Queues with one fault each, to see that the comparison with the model finds it. */
export const brokenQueues: Readonly<Record<string, (q: TestQueue) => JobQueue>> = {
  'settles whatever run the job is in by now, whatever lease asks': (q) => ({
    ...q.queue,
    finish: async (claimed, finish, measure) => {
      const job = await q.job(claimed.job.id);
      const lease = {
        ...claimed.lease,
        runNo: job['run_no'],
        token: job['lease_token'] ?? claimed.lease.token,
      };
      return q.queue.finish({ ...claimed, lease } as ClaimedJob, finish, measure);
    },
  }),
  'hands a job out a second time': (q) => {
    let last: ClaimedJob | undefined;
    return {
      ...q.queue,
      claim: async (request) => {
        const { jobs, cursor } = await q.queue.claim(request);
        const again = jobs.length === 0 && last !== undefined ? [last] : jobs;
        last = jobs[0] ?? last;
        return { jobs: again, cursor };
      },
    };
  },
  'takes leases away that have not ended': (q) => ({
    ...q.queue,
    rescue: async (limit, upSeconds) => {
      await q.superuser.query(
        `update millrace.jobs set lease_expires_at = clock_timestamp() - interval '1 s' where status = 'running'`,
      );
      return q.queue.rescue(limit, upSeconds);
    },
  }),
  'makes a second job for a dedupe key that is taken': (q) => ({
    ...q.queue,
    enqueue: (tenantId, inputs) =>
      q.queue.enqueue(
        tenantId,
        inputs.map((input) => ({ ...input, dedupeKey: null })),
      ),
  }),
  'spends an attempt on a hand-back': (q) => ({
    ...q.queue,
    finish: async (claimed, finish, measure) => {
      const result = await q.queue.finish(claimed, finish, measure);
      if (finish.kind === 'handBack' && result === 'settled')
        await q.superuser.query('update millrace.jobs set attempt_count = attempt_count + 1 where id = $1', [
          claimed.job.id,
        ]);
      return result;
    },
  }),
  'never renews a lease that has ended': (q) => ({
    ...q.queue,
    heartbeat: async (leases) => {
      const ended = await q.superuser.query(
        'select id from millrace.jobs where id = any ($1) and lease_expires_at < clock_timestamp()',
        [leases.map((lease) => lease.jobId)],
      );
      const gone = new Set(ended.rows.map((row) => row.id));
      const live = leases.filter((lease) => !gone.has(lease.jobId));
      const result = await q.queue.heartbeat(
        live,
        live.map(() => 600),
      );
      return { ...result, lost: [...result.lost, ...gone] };
    },
  }),
};
