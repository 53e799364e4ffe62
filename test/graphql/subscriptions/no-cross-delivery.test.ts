import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { openStream } from '../../support/sse.ts';
import { waitFor } from '../../support/wait.ts';
import { openSocket, type Received } from '../../support/ws.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

// Every subscriber sends this very text, and most send the same variables: whatever the server shares between
// them is shared across tenants unless it keeps them apart.
const WATCH = `subscription ($filter: JobChangesFilter, $after: String) {
  jobChanges(filter: $filter, after: $after) {
    ... on FeedReady { cursor }
    ... on JobUpdated { job { uuid reason createdBy correlationId } }
    ... on JobLeft { jobId }
    ... on JobRemoved { jobId }
  }
}`;

const FILTERS = {
  everything: {},
  definition: { definitions: ['echo'] },
  status: { statuses: ['QUEUED'] },
  correlation: { correlationId: 'shared' },
  mine: { createdByMe: true },
  creator: { createdBy: 'user:alice' },
} as const;

interface Watching {
  readonly tenant: number;
  readonly role: 'member' | 'tenant_admin' | 'super_admin';
  readonly transport: 'socket' | 'sse';
  readonly filter: keyof typeof FILTERS;
  /** Goes on from a cursor that another tenant's stream gave. */
  readonly resumes: boolean;
}

interface Write {
  readonly tenant: number;
  readonly verb: 'insert' | 'change' | 'finish' | 'delete';
}

const TENANTS = 3;
const watchings = fc.array(
  fc.record<Watching>({
    tenant: fc.nat(TENANTS - 1),
    role: fc.constantFrom('member', 'tenant_admin', 'super_admin'),
    transport: fc.constantFrom('socket', 'sse'),
    filter: fc.constantFrom(...(Object.keys(FILTERS) as (keyof typeof FILTERS)[])),
    resumes: fc.boolean(),
  }),
  { minLength: 4, maxLength: 10 },
);
const writes = fc.array(
  fc.record<Write>({
    tenant: fc.nat(TENANTS - 1),
    verb: fc.constantFrom('insert', 'change', 'finish', 'delete'),
  }),
  { minLength: 5, maxLength: 25 },
);

/** Three tenants whose jobs are alike in all that a filter can name. */
class Scene {
  readonly tenantIds: readonly string[];
  readonly tenantOfJob = new Map<string, string>();

  constructor(tenantIds: readonly string[]) {
    this.tenantIds = tenantIds;
  }

  async insert(tenant: number): Promise<string> {
    const tenantId = this.tenantIds[tenant] as string;
    const { rows } = await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, created_by, correlation_id, reason)
       select $1::uuid, id, 'user:alice', 'shared', $1::text from millrace.job_definitions where key = 'echo' returning id`,
      [tenantId],
    );
    this.tenantOfJob.set(rows[0].id, tenantId);
    return rows[0].id;
  }

  async write({ tenant, verb }: Write): Promise<void> {
    const tenantId = this.tenantIds[tenant] as string;
    if (verb === 'insert') await this.insert(tenant);
    else await api.superuser.query(CHANGES[verb], [tenantId]);
  }
}

const CHANGES = {
  change: 'update millrace.jobs set priority = priority + 1 where tenant_id = $1',
  finish: `update millrace.jobs set status = 'canceled', finished_at = now()
           where id = (select id from millrace.jobs where tenant_id = $1 and status = 'queued' limit 1)`,
  delete: 'delete from millrace.jobs where id = (select id from millrace.jobs where tenant_id = $1 limit 1)',
} as const;

async function makeScene(): Promise<Scene> {
  const tenantIds: string[] = [];
  for (let n = 0; n < TENANTS; n++) tenantIds.push(await api.makeTenant());
  const scene = new Scene(tenantIds);
  for (let n = 0; n < TENANTS; n++) await scene.insert(n);
  return scene;
}

interface Open {
  readonly tenantId: string;
  readonly received: () => readonly Received[];
  readonly stop: () => Promise<void>;
}

async function open(scene: Scene, watching: Watching, cursors: readonly string[]): Promise<Open> {
  const tenantId = scene.tenantIds[watching.tenant] as string;
  const variables = {
    filter: FILTERS[watching.filter],
    after: watching.resumes ? cursors[(watching.tenant + 1) % TENANTS] : null,
  };
  // Of every tenant the same person, by the same name; an operator comes from another tenant than they watch.
  const acts = watching.role === 'super_admin' && watching.transport === 'socket';
  const home = acts ? (scene.tenantIds[(watching.tenant + 1) % TENANTS] as string) : tenantId;
  const token = await api.token(home, watching.role, { subject: 'alice' });
  if (watching.transport === 'sse') {
    const stream = await openStream(api.server.graphqlUrl, token, WATCH, variables);
    return { tenantId, received: () => stream.received, stop: async () => stream.stop() };
  }
  const socket = openSocket(api.server.graphqlUrl, { token, ...(acts && { tenantId }) });
  const stream = socket.subscribe(WATCH, variables);
  return { tenantId, received: () => stream.received, stop: () => socket.close() };
}

/** The ids of the jobs that a message names. */
function jobsIn({ data }: Received): string[] {
  const event = data?.jobChanges ?? {};
  const id = event.job?.uuid ?? event.jobId?.replace(/^Job:/, '');
  return id === undefined ? [] : [id];
}

/** What a subscriber must not have got: jobs of others, texts of others, errors. */
function foreignTo(scene: Scene, { tenantId, received }: Open): Received[] {
  const others = scene.tenantIds.filter((id) => id !== tenantId);
  return received().filter(
    (message) =>
      message.errors !== undefined ||
      jobsIn(message).some((id) => scene.tenantOfJob.get(id) !== tenantId) ||
      others.some((id) => JSON.stringify(message).includes(id)),
  );
}

/** A cursor of each tenant, from a stream of its own. */
async function cursorsOf(scene: Scene): Promise<string[]> {
  return Promise.all(
    scene.tenantIds.map(async (tenantId) => {
      const socket = openSocket(api.server.graphqlUrl, { token: await api.token(tenantId, 'member') });
      const cursor = (message: Received) => message.data?.jobChanges?.cursor;
      const ready = await socket
        .subscribe(WATCH)
        .next((message) => cursor(message) !== undefined, 'a cursor');
      await socket.close();
      return cursor(ready);
    }),
  );
}

async function run(
  scene: Scene,
  subscribers: readonly Watching[],
  changes: readonly Write[],
): Promise<Open[]> {
  const cursors = await cursorsOf(scene);
  const half = Math.ceil(subscribers.length / 2);
  const early = await Promise.all(subscribers.slice(0, half).map((one) => open(scene, one, cursors)));
  // Tenants change at the same time, so that their jobs are in the same batches; some subscribe meanwhile.
  const [late] = await Promise.all([
    Promise.all(subscribers.slice(half).map((one) => open(scene, one, cursors))),
    (async () => {
      for (const change of changes) await scene.write(change);
    })(),
  ]);
  const last = new Set<string>();
  for (let n = 0; n < TENANTS; n++) last.add(await scene.insert(n));
  const all = [...early, ...late];
  // Everybody gets their tenant's last job, whatever they filter by: a stream that delivers nothing
  // proves nothing.
  await waitFor(
    () =>
      all.every(
        ({ received }) =>
          received().some((message) => message.errors !== undefined) ||
          received().some((message) => jobsIn(message).some((id) => last.has(id))),
      ),
    {
      describe: () =>
        `a last job for each; got ${all.map(({ received }) => received().length).join()} messages`,
    },
  );
  return all;
}

describe('subscribers of like documents', () => {
  it('get nothing of another tenant’s, whatever their role and whatever they filter by', async () => {
    const untilMs = performance.now() + 6_000;
    await fc.assert(
      fc.asyncProperty(watchings, writes, async (subscribers, changes) => {
        // A busy machine tries fewer, and never none.
        if (performance.now() > untilMs) return;
        const scene = await makeScene();
        const all = await run(scene, subscribers, changes);
        try {
          for (const one of all) expect(foreignTo(scene, one)).toEqual([]);
        } finally {
          await Promise.all(all.map(({ stop }) => stop()));
        }
      }),
      { numRuns: 5 },
    );
    await waitFor(() => api.server.subscriberCount === 0, { describe: 'no subscriber' });
  });

  it('would be found out: the same streams, taken for those of the next tenant, hold what is foreign to it', async () => {
    const scene = await makeScene();
    const base = { role: 'member', filter: 'everything', resumes: false } as const;
    const all = await run(
      scene,
      [
        { ...base, tenant: 0, transport: 'socket' },
        { ...base, tenant: 1, transport: 'sse' },
      ],
      [{ tenant: 0, verb: 'change' }],
    );
    try {
      for (const one of all) {
        const next = scene.tenantIds[(scene.tenantIds.indexOf(one.tenantId) + 1) % TENANTS] as string;
        expect(foreignTo(scene, { ...one, tenantId: next }).length).toBeGreaterThan(0);
      }
    } finally {
      await Promise.all(all.map(({ stop }) => stop()));
    }
  });

  it('that name another tenant’s job by its id hear nothing of it, as of one that does not exist', async () => {
    const scene = await makeScene();
    const theirs = await scene.insert(1);
    const ours = await scene.insert(0);
    const socket = openSocket(api.server.graphqlUrl, {
      token: await api.token(scene.tenantIds[0] as string, 'member'),
    });
    const stream = socket.subscribe(WATCH, { filter: { ids: [theirs, ours, randomUUID()] } });
    await stream.next((message) => jobsIn(message).includes(ours), 'our own job');
    await scene.write({ tenant: 1, verb: 'change' });
    await scene.write({ tenant: 0, verb: 'change' });
    await waitFor(() => stream.received.filter((message) => jobsIn(message).includes(ours)).length > 1, {
      describe: 'the change of our own job',
    });
    expect(stream.received.flatMap(jobsIn)).not.toContain(theirs);
    await socket.close();
  });
});
