import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';
import { clientOf, collect } from './watching.ts';

let api: TestApi;
let tenantId: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
});
afterAll(() => api.close());

const isReady = (event: { readonly __typename: string }) => event.__typename === 'FeedReady';
const echo = (correlationId: string) => ({ definition: 'echo', payload: { message: 'hi' }, correlationId });

describe.each(['ws', 'sse'] as const)('over %s', (transport) => {
  it('a token that ends in mid-stream is followed by a fresh one, and nothing is missed', async () => {
    const correlationId = `expiry-${transport}`;
    let asked = 0;
    const token = () => {
      asked++;
      return api.token(tenantId, 'member', { ttlSeconds: asked === 1 ? 2 : 86_400 });
    };
    const client = clientOf(api, { token, transport });
    const errors: (string | undefined)[] = [];
    const watch = client.watchJobs({ correlationId }, { onStatus: ({ error }) => errors.push(error?.code) });
    const seen = collect(watch);
    await waitFor(() => seen.values.some(isReady), { describe: 'FeedReady' });
    await waitFor(() => errors.includes('UNAUTHENTICATED'), { describe: 'the token to end' });
    const admin = await api.token(tenantId, 'tenant_admin');
    const { job } = await clientOf(api, { token: admin }).enqueue(echo(correlationId));
    await waitFor(
      () => seen.values.some((event) => event.__typename === 'JobUpdated' && event.job?.id === job.id),
      {
        describe: 'the job',
      },
    );
    expect(seen.values.filter(isReady)).toHaveLength(1);
    expect(seen.ended()).toBeNull();
    client.close();
  });

  it('revocation is final, whether there are more tokens or not, with a typed error', async () => {
    const subject = `bob-${randomUUID()}`;
    const token = await api.token(tenantId, 'member', { subject });
    let asked = 0;
    const clients = [
      clientOf(api, { token, transport }),
      clientOf(api, {
        token: () => {
          asked++;
          return token;
        },
        transport,
      }),
    ];
    const watches = clients.map((client) => collect(client.watchJobs()));
    for (const { values } of watches) await waitFor(() => values.some(isReady), { describe: 'FeedReady' });
    await api.superuser.query(
      `insert into millrace.revocations (tenant_id, subject, not_before) values ($1, $2, now() + interval '1 minute')`,
      [tenantId, subject],
    );
    for (const watch of watches) {
      await waitFor(() => watch.ended(), { describe: 'its end' });
      expect(watch.ended()).toMatchObject({ name: 'MillraceError', code: 'UNAUTHENTICATED' });
    }
    // Once for the first connection, then for each try after the close.
    expect(asked).toBeLessThanOrEqual(4);
    expect(asked).toBeGreaterThan(1);
    for (const client of clients) client.close();
  });

  it('a token function that fails is asked again, and one that says so is taken at its word', async () => {
    const { MillraceError } = await import('../../src/client/index.ts');
    const good = await api.token(tenantId, 'member');
    let asked = 0;
    const client = clientOf(api, {
      transport,
      token: () => {
        if (++asked < 3) throw new Error('offline');
        return good;
      },
    });
    const seen = collect(client.watchJobs());
    await waitFor(() => seen.values.some(isReady), { describe: 'FeedReady' });
    client.close();
    const gone = clientOf(api, {
      transport,
      token: () => {
        throw new MillraceError('LOGGED_OUT', 'Nobody is logged in');
      },
    });
    const refused = collect(gone.watchJobs());
    await waitFor(() => refused.ended(), { describe: 'its end' });
    expect(refused.ended()).toMatchObject({ code: 'LOGGED_OUT' });
    gone.close();
  });

  it('the end of a connection without a token is not taken for that of the next one', async () => {
    // Without a wait the next try begins while the socket of the one before is still being closed.
    const backoff = { firstMs: 0, maxMs: 0 };
    const good = await api.token(tenantId, 'member');
    const clients = Array.from({ length: 20 }, () => {
      let asked = 0;
      const token = () => {
        if (++asked < 4) throw new Error('offline');
        return good;
      };
      return clientOf(api, { transport, token, backoff });
    });
    const watched = clients.map((client) => collect(client.watchJobs()));
    await waitFor(() => watched.every(({ values, ended }) => ended() !== null || values.some(isReady)), {
      describe: 'FeedReady, or an end',
    });
    expect(watched.map(({ ended }) => ended())).toEqual(watched.map(() => null));
    for (const client of clients) client.close();
  });

  it('what the server will never take ends with its code and field, and the socket goes on', async () => {
    const client = clientOf(api, { token: await api.token(tenantId, 'member'), transport });
    const good = collect(client.watchJobs());
    await waitFor(() => good.values.some(isReady), { describe: 'FeedReady' });
    for (const [watch, expected] of [
      [client.watchJobs({}, { after: 'nonsense' }), { code: 'INVALID_ARGUMENT', field: 'after' }],
      [client.watchJobs({ definitions: ['no-such'] }), { code: 'UNKNOWN_DEFINITION' }],
      [client.watchJob('01900000-0000-7000-8000-000000000001'), { code: 'NOT_FOUND' }],
    ] as const) {
      await expect(watch.next()).rejects.toMatchObject(expected);
      expect(watch.status).toMatchObject({ state: 'ended', error: expected });
      expect(await watch.next()).toEqual({ done: true, value: undefined });
    }
    expect(good.ended()).toBeNull();
    client.close();
  });

  it('an aborted signal ends the loop with its reason and the subscription at once', async () => {
    const client = clientOf(api, { token: await api.token(tenantId, 'member'), transport });
    const leaving = new AbortController();
    const seen = collect(client.watchJobs({}, { signal: leaving.signal }));
    await waitFor(() => seen.values.some(isReady), { describe: 'FeedReady' });
    leaving.abort(new Error('enough'));
    await waitFor(() => seen.ended(), { describe: 'its end' });
    expect(seen.ended()).toEqual(new Error('enough'));
    await waitFor(() => api.server.subscriberCount === 0, { describe: 'no subscriber' });
    const never = client.watchJobs({}, { signal: leaving.signal });
    await expect(never.next()).rejects.toThrow('enough');
    client.close();
  });
});

describe('calls', () => {
  it('give typed results, and throw what a mutation refuses with all that it says', async () => {
    const client = clientOf(api, { token: await api.token(tenantId, 'tenant_admin') });
    const dedupeKey = randomUUID();
    const { job, isNew } = await client.enqueue({ ...echo('calls'), dedupeKey });
    expect({ isNew, status: job.status, payload: job.payload }).toMatchObject({
      isNew: true,
      status: 'QUEUED',
      payload: { message: 'hi' },
    });
    expect((await client.enqueue({ ...echo('calls'), dedupeKey })).isNew).toBe(false);
    expect(await client.job(job.uuid)).toEqual(job);
    expect(await client.job('01900000-0000-7000-8000-000000000001')).toBeNull();
    expect(await client.jobArtifacts('01900000-0000-7000-8000-000000000001')).toBeNull();
    expect(await client.jobArtifacts(job.id)).toMatchObject({ nodes: [], pageInfo: { hasNextPage: false } });
    await expect(client.jobArtifacts(job.id, { first: 0 })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'first',
    });
    const canceled = await client.cancelJob(job.id, { reason: 'not needed' });
    expect(canceled).toMatchObject({
      isCancelRequested: false,
      job: { status: 'CANCELED', reason: 'not needed' },
    });
    await expect(client.cancelJob(job.id)).rejects.toMatchObject({ code: 'WRONG_STATE' });
    expect(await client.retryJob(job.id)).toMatchObject({ status: 'QUEUED' });
    await expect(client.replayJob(job.id)).rejects.toMatchObject({ code: 'WRONG_STATE' });
    await client.cancelJob(job.id);
    const replayed = await client.replayJob(job.id, { payload: { message: 'again' } });
    expect(replayed).toMatchObject({ status: 'QUEUED', payload: { message: 'again' } });
    expect(replayed.id).not.toBe(job.id);
    await expect(client.replayJob(job.id, { payload: { message: 1 } })).rejects.toMatchObject({
      problems: [{ field: 'payload.message' }],
    });
    await expect(client.enqueue({ definition: 'echo', payload: { message: 1 } })).rejects.toMatchObject({
      code: 'INVALID_PAYLOAD',
      field: 'payload.message',
      problems: [{ field: 'payload.message' }],
    });
    await expect(client.request('{ nothing }')).rejects.toMatchObject({ isRetryable: false });
    expect(await client.request('{ viewer { role } }')).toEqual({ viewer: { role: 'TENANT_ADMIN' } });
    const leaving = AbortSignal.abort(new Error('left'));
    await expect(client.job(job.id, { signal: leaving })).rejects.toThrow('left');
    client.close();
  });

  it('ask for another token once when one is refused', async () => {
    const tokens = [
      await api.token(tenantId, 'member', { ttlSeconds: -1 }),
      await api.token(tenantId, 'member'),
    ];
    const client = clientOf(api, { token: () => tokens.shift() ?? 'none' });
    expect(await client.request('{ viewer { role } }')).toEqual({ viewer: { role: 'MEMBER' } });
    await expect(client.request('{ viewer { role } }')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const away = clientOf(api, { token: 'x', url: 'http://127.0.0.1:1/graphql' });
    await expect(away.job('x')).rejects.toMatchObject({ code: 'NETWORK', isRetryable: true });
    client.close();
  });
});
