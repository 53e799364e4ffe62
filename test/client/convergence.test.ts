import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { startCutProxy } from '../support/cut-proxy.ts';
import { waitFor } from '../support/wait.ts';
import { clientOf, movesOf } from './watching.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

type Move =
  | { readonly kind: 'enqueue' | 'run' | 'finish' | 'remove'; readonly which: number }
  | { readonly kind: 'cut' };

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('enqueue' as const), which: fc.nat(9) }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('run' as const, 'finish' as const), which: fc.nat(9) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'cut' as const }) },
);

/** Does what it says where a job's state allows it. */
async function make(moves: readonly Move[], tenantId: string, cut: () => void): Promise<void> {
  const { run, finish, remove } = movesOf(api, tenantId);
  const jobs: { uuid: string; status: string }[] = [];
  for (const given of moves) {
    if (given.kind === 'cut') {
      cut();
      continue;
    }
    if (given.kind === 'enqueue') {
      const { rows } = await api.superuser.query(
        `insert into millrace.jobs (tenant_id, definition_id, payload, max_attempts)
         select $1, id, '{"message":"x"}', 3 from millrace.job_definitions where key = 'echo' returning id`,
        [tenantId],
      );
      jobs.push({ uuid: rows[0].id, status: 'queued' });
      continue;
    }
    const job = jobs[given.which % Math.max(1, jobs.length)];
    if (job === undefined) continue;
    if (given.kind === 'run' && job.status === 'queued') {
      await run(job.uuid);
      job.status = 'running';
    } else if (given.kind === 'finish' && job.status === 'running') {
      await finish(job.uuid);
      job.status = 'succeeded';
    } else if (given.kind === 'remove' && job.status === 'succeeded') {
      await remove(job.uuid);
      job.status = 'removed';
    }
  }
}

describe.each(['ws', 'sse'] as const)('a set of jobs watched over %s', (transport) => {
  it('is that of the database in the end, whatever happened and whenever connections were cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 40 }), async (moves) => {
        const tenantId = await api.makeTenant();
        const token = await api.token(tenantId, 'member');
        const proxy = await startCutProxy(api.server.graphqlUrl);
        const client = clientOf(api, {
          token: () => token,
          transport,
          url: proxy.url,
          backoff: { firstMs: 20, maxMs: 50 },
        });
        const view = client.viewJobs();
        try {
          await make(moves, tenantId, () => proxy.cut());
          const { rows } = await api.superuser.query(
            'select id, status, version from millrace.jobs where tenant_id = $1 order by id desc',
            [tenantId],
          );
          const wanted = rows.map(({ id, status, version }) => `${id} ${status.toUpperCase()} ${version}`);
          const shown = () =>
            view.state.jobs.map(({ uuid, status, version }) => `${uuid} ${status} ${version}`);
          await waitFor(() => view.state.isReady && shown().join('\n') === wanted.join('\n'), {
            describe: () => `${JSON.stringify(wanted)}; shown: ${JSON.stringify(view.state)}`,
          });
          expect(view.state.isComplete).toBe(true);
        } finally {
          view.close();
          client.close();
          await proxy.close();
        }
      }),
      { numRuns: 12 },
    );
    await waitFor(() => api.server.subscriberCount === 0, { describe: 'no subscriber' });
  });
});
