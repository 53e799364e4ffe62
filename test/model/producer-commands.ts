import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { isFinal } from '../../src/core/states.ts';
import { updateJobRow } from '../../src/queue/update-job.ts';
import { type Command, command, jobsWhere, pick } from './command.ts';
import { activeWithKey, DEFINITION_KEYS, modelJob, move, retried, TENANT_COUNT } from './model.ts';

const anHour = (): Date => new Date(Date.now() + 3_600_000);

const input = fc.record({
  definitionKey: fc.constantFrom(...DEFINITION_KEYS),
  dedupeKey: fc.option(fc.constantFrom('k1', 'k2'), { freq: 2 }),
  maxAttempts: fc.constantFrom(1, 1, 2, 3, 6),
  priority: fc.constantFrom(10, 100, 100, 500),
  later: fc.boolean(),
});

/** One to three jobs in one call: each is answered by itself. */
const enqueue = fc
  .record({ tenant: fc.nat(TENANT_COUNT - 1), inputs: fc.array(input, { minLength: 1, maxLength: 3 }) })
  .map(({ tenant, inputs }) =>
    command(
      `enqueue(tenant ${tenant}, ${JSON.stringify(inputs)})`,
      (model) => model.jobs.size < 12,
      async (model, system) => {
        const results = await system.queue.enqueue(
          system.tenantIds[tenant] as string,
          inputs.map(({ later, ...rest }) => ({
            ...rest,
            payload: {},
            scheduledFor: later ? anHour() : null,
          })),
        );
        deepStrictEqual(results.length, inputs.length);
        inputs.forEach(({ definitionKey, dedupeKey, maxAttempts, priority, later }, index) => {
          const result = results[index];
          const rival = activeWithKey(model, tenant, dedupeKey);
          deepStrictEqual(result?.kind, rival === undefined ? 'created' : 'existing');
          if (rival !== undefined) {
            deepStrictEqual(result?.id, rival);
            return;
          }
          const id = result?.id ?? '';
          deepStrictEqual(model.jobs.has(id), false, 'a new job has an id of its own');
          model.jobs.set(id, {
            tenant,
            definitionKey,
            maxAttempts,
            dedupeKey,
            priority,
            due: !later,
            status: 'queued',
            runNo: 0,
            attemptCount: 0,
            lostLeaseCount: 0,
            snoozeCount: 0,
            cancelRequested: false,
            cancelKnown: false,
            leaseEnded: false,
            worker: null,
            runs: [],
          });
          model.touched.add(id);
        });
      },
    ),
  );

/** By the job's own tenant, or by the other one, who learns that there is no such job. */
const cancel = fc.record({ n: fc.nat(99), stranger: fc.integer({ min: 0, max: 9 }) }).map(({ n, stranger }) =>
  command(
    `cancel(#${n}${stranger === 0 ? ' by a stranger' : ''})`,
    (model) => model.jobs.size > 0,
    async (model, system) => {
      const id = pick([...model.jobs.keys()], n);
      const job = modelJob(model, id);
      const tenant = stranger === 0 ? 1 - job.tenant : job.tenant;
      const result = await system.queue.cancel(
        system.tenantIds[tenant] as string,
        id,
        'user:model',
        'no more',
      );
      if (stranger === 0) return deepStrictEqual(result, { kind: 'notFound' });
      if (isFinal(job.status)) return deepStrictEqual(result, { kind: 'wrongState', status: job.status });
      if (job.status === 'running') {
        deepStrictEqual(result, { kind: 'requested' });
        if (!job.cancelRequested) model.touched.add(id);
        job.cancelRequested = true;
        return;
      }
      deepStrictEqual(result, { kind: 'canceled' });
      move(model, id, 'canceled');
    },
  ),
);

const retry = fc.nat(99).map((n) =>
  command(
    `retry(#${n})`,
    (model) => model.jobs.size > 0,
    async (model, system) => {
      // Mostly one that can be retried: the others say no soon enough.
      const willing = jobsWhere(model, (job) => isFinal(job.status) && job.status !== 'succeeded');
      const id = pick(n % 4 === 0 || willing.length === 0 ? [...model.jobs.keys()] : willing, n);
      const job = modelJob(model, id);
      const result = await system.queue.retry(system.tenantIds[job.tenant] as string, id);
      if (job.status === 'running' || (job.status === 'queued' && job.cancelRequested))
        return deepStrictEqual(result, { kind: 'stillRunning' });
      if (job.status === 'succeeded' || job.status === 'queued')
        return deepStrictEqual(result, { kind: 'wrongState', status: job.status });
      const rival = activeWithKey(model, job.tenant, job.dedupeKey);
      if (rival !== undefined) return deepStrictEqual(result, { kind: 'activeDuplicate', jobId: rival });
      deepStrictEqual(result, { kind: 'queued' });
      retried(model, id);
    },
  ),
);

const change = fc.record({
  n: fc.nat(99),
  priority: fc.option(fc.constantFrom(1, 100, 900)),
  when: fc.option(fc.constantFrom('now', 'later')),
});

/** Another priority or time, which only a queued job takes. */
const update = change.map(({ n, priority, when }) =>
  command(
    `update(#${n}, priority ${priority}, ${when})`,
    (model) => model.jobs.size > 0,
    async (model, system) => {
      const queued = jobsWhere(model, (job) => job.status === 'queued');
      const jobId = pick(n % 4 === 0 || queued.length === 0 ? [...model.jobs.keys()] : queued, n);
      const job = modelJob(model, jobId);
      const result = await updateJobRow(system.q.db, system.q.notifier, {
        tenantId: system.tenantIds[job.tenant] as string,
        jobId,
        by: 'user:model',
        priority,
        scheduledFor: when === null ? null : when === 'now' ? new Date() : anHour(),
      });
      // What changes nothing of the run is taken in any state.
      if (job.status !== 'queued' && (priority !== null || when !== null)) {
        deepStrictEqual(result, { kind: 'wrongState', status: job.status });
        return;
      }
      deepStrictEqual(result, { kind: 'updated' });
      if (when !== null || (priority !== null && priority !== job.priority)) model.touched.add(jobId);
      if (job.status !== 'queued') return;
      job.priority = priority ?? job.priority;
      job.due = when === null ? job.due : when === 'now';
    },
  ),
);

export const producerCommands: readonly fc.Arbitrary<Command>[] = [enqueue, enqueue, cancel, retry, update];
