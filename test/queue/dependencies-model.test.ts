import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobStatus } from '../../src/core/job.ts';
import type { DependencyPolicy } from '../../src/core/queue.ts';
import { repairDependents } from '../../src/queue/dependencies-repair.ts';
import { finishPendingCancels } from '../../src/queue/pending-cancel-finisher.ts';
import { testPipelines } from '../support/pipelines.ts';
import { jobError, measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue();
});
afterAll(() => q.close());

type Outcome = 'succeeded' | 'failed' | 'dead_letter';

interface Node {
  /** What its run ends as, if it gets that far. */
  readonly outcome: Outcome;
  /** Parents, by their distance backwards. */
  readonly edges: readonly { readonly back: number; readonly policy: DependencyPolicy }[];
  /** Jobs that are run before this one is enqueued: its parents may have ended by then. */
  readonly runsBefore: number;
}

/**
 * As the maintenance leader does, until none is left: what a settlement has doomed is ended beside it, and
 * may be held this moment.
 */
async function finishPending(tenantId: string): Promise<void> {
  const ended = async (): Promise<boolean> => {
    await finishPendingCancels(q.db, q.notifier, testPipelines, 500);
    const { rows } = await q.superuser.query(
      `select from millrace.jobs where tenant_id = $1 and status = 'queued' and cancel_requested_at is not null limit 1`,
      [tenantId],
    );
    return rows.length === 0;
  };
  await waitFor(ended, { describe: 'all doomed jobs to end' });
}

interface Modeled {
  readonly outcome: Outcome;
  readonly edges: readonly { readonly parent: number; readonly policy: DependencyPolicy }[];
  status: JobStatus;
  reason: string | null;
}

/** The rules, and nothing else: a job ends, and what that means for those that wait. */
class Model {
  readonly jobs: Modeled[] = [];

  add({ outcome, edges }: Node): void {
    const index = this.jobs.length;
    const parents = new Map(edges.map(({ back, policy }) => [index - back, policy]));
    const kept = [...parents]
      .filter(([parent]) => parent >= 0)
      .map(([parent, policy]) => ({ parent, policy }));
    this.jobs.push({ outcome, edges: kept, status: 'queued', reason: null });
    this.#cancelFrom(index, this.#bad(index));
  }

  end(index: number): void {
    this.#move(index, this.#job(index).outcome, null);
  }

  ready(): number[] {
    return [...this.jobs.keys()].filter(
      (index) =>
        this.#job(index).status === 'queued' &&
        this.#job(index).edges.every(({ parent }) => this.#job(parent).status !== 'queued'),
    );
  }

  #job(index: number): Modeled {
    return this.jobs[index] as Modeled;
  }

  #move(index: number, status: JobStatus, reason: string | null): void {
    Object.assign(this.#job(index), { status, reason });
    for (const [child, { edges }] of this.jobs.entries())
      if (edges.some(({ parent }) => parent === index)) this.#cancelFrom(child, this.#bad(child));
  }

  #bad(index: number): ReadonlySet<DependencyPolicy> {
    const bad = this.#job(index).edges.filter(({ parent }) => {
      const { status, reason } = this.#job(parent);
      return (
        status === 'failed' || status === 'dead_letter' || (status === 'canceled' && reason !== 'skipped')
      );
    });
    return new Set(bad.map(({ policy }) => policy));
  }

  #cancelFrom(index: number, bad: ReadonlySet<DependencyPolicy>): void {
    if (this.#job(index).status !== 'queued') return;
    if (bad.has('cancel')) this.#move(index, 'canceled', 'parent_failed');
    else if (bad.has('skip')) this.#move(index, 'canceled', 'skipped');
  }
}

const policy = fc.constantFrom<DependencyPolicy>('cancel', 'skip', 'run');
const nodes: fc.Arbitrary<readonly Node[]> = fc.array(
  fc.record({
    outcome: fc.constantFrom<Outcome>('succeeded', 'succeeded', 'failed', 'dead_letter'),
    edges: fc.uniqueArray(fc.record({ back: fc.integer({ min: 1, max: 6 }), policy }), {
      selector: ({ back }) => back,
      maxLength: 3,
    }),
    runsBefore: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 12 },
);

const finishAs = (outcome: Outcome) =>
  outcome === 'succeeded'
    ? succeeded()
    : ({ kind: 'final', settlement: { status: outcome, error: jobError() } } as const);

test('jobs of any graph all end, and as the rules say, whatever becomes of each and whenever it is enqueued', async () => {
  await fc.assert(
    fc.asyncProperty(nodes, fc.integer({ min: 1, max: 4 }), async (graph, batch) => {
      await q.clear();
      const tenantId = await q.makeTenant();
      const model = new Model();
      const ids: string[] = [];
      /** Ends up to N jobs that are ready, at once; says how many there were. */
      const run = async (limit: number): Promise<number> => {
        const claimed = limit === 0 ? [] : await q.claim(limit);
        const indexes = claimed.map(({ job }) => ids.indexOf(job.id));
        const ready = model.ready();
        for (const index of indexes) expect(ready).toContain(index);
        await Promise.all(
          claimed.map((item, at) =>
            q.queue.finish(item, finishAs(model.jobs[indexes[at] as number]?.outcome as Outcome), measured()),
          ),
        );
        // As the process does right after its commit: here, so that the next step finds it done. It does so
        // itself as well, and what it holds this moment is passed over here.
        while ((await finishPendingCancels(q.db, q.notifier, testPipelines, batch)) > 0);
        await finishPending(tenantId);
        for (const index of indexes) model.end(index);
        return claimed.length;
      };
      for (const node of graph) {
        await run(Math.min(1, node.runsBefore));
        model.add(node);
        const dependsOn = (model.jobs.at(-1)?.edges ?? []).map((edge) => ({
          jobId: ids[edge.parent] as string,
          policy: edge.policy,
        }));
        const [result] = await q.queue.enqueue(tenantId, [
          { definitionKey: 'alpha', payload: {}, dependsOn },
        ]);
        ids.push(result?.id ?? '');
      }
      while ((await run(batch)) > 0);
      await finishPending(tenantId);
      const { rows } = await q.superuser.query(
        'select id, status, reason from millrace.jobs where tenant_id = $1',
        [tenantId],
      );
      const seen = new Map(rows.map(({ id, status, reason }) => [id, { status, reason }]));
      expect(ids.map((id) => seen.get(id))).toEqual(
        model.jobs.map(({ status, reason }) => ({ status, reason })),
      );
      expect((await repairDependents(q.db, q.notifier, testPipelines, 100)).repairedCount).toBe(0);
    }),
    { numRuns: 15 },
  );
});
