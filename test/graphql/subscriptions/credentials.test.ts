import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { waitPromised } from '../../support/lateness.ts';
import { waitFor } from '../../support/wait.ts';
import { openSocket } from '../../support/ws.ts';
import { endBoth, WATCH, watchingSeconds, watchTwice } from './watch-twice.ts';

let api: TestApi;
let tenantId: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
});
afterAll(() => api.close());

describe('an open stream ends', () => {
  it('within half a second of its token’s end, on both transports', async () => {
    const ttlSeconds = await watchingSeconds(api, await api.token(tenantId, 'member'));
    const token = await api.token(tenantId, 'member', { ttlSeconds });
    const endsAtMs =
      Number(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).exp) * 1000;
    const both = await watchTwice(api, token);
    expect(both.socket.closeCode()).toBeNull();
    await endBoth(api, both, endsAtMs - Date.now() + 500);
    expect(Date.now()).toBeGreaterThanOrEqual(endsAtMs);
  });

  it('within 2 s of the person’s revocation', async () => {
    const subject = `bob-${randomUUID()}`;
    const both = await watchTwice(api, await api.token(tenantId, 'member', { subject }));
    await api.superuser.query(
      `insert into millrace.revocations (tenant_id, subject, not_before) values ($1, $2, now() + interval '1 minute')`,
      [tenantId, subject],
    );
    await endBoth(api, both, 2_000);
  });

  it('within 2 s of the person’s removal from the tenant', async () => {
    const closed = await api.makeTenant();
    await api.superuser.query(
      `insert into millrace.tenant_members (tenant_id, user_sub, role) values ($1, 'carol', 'member'), ($1, 'dan', 'member')`,
      [closed],
    );
    const both = await watchTwice(api, await api.token(closed, 'member', { subject: 'carol' }));
    await api.superuser.query(
      `delete from millrace.tenant_members where tenant_id = $1 and user_sub = 'carol'`,
      [closed],
    );
    await endBoth(api, both, 2_000);
  });
});

describe('a lowered role holds on an open socket', () => {
  const CREATE = 'mutation { createVideo(input: { title: "x" }) { __typename } }';

  it('within 2 s, for each operation and for the events of what was subscribed before', async () => {
    const listed = await api.makeTenant();
    const setRole = (role: string) =>
      api.superuser.query(
        `insert into millrace.tenant_members (tenant_id, user_sub, role) values ($1, 'erin', $2)
         on conflict (tenant_id, user_sub) do update set role = excluded.role`,
        [listed, role],
      );
    await setRole('tenant_admin');
    const token = await api.token(listed, 'tenant_admin', { subject: 'erin' });
    const socket = openSocket(api.server.graphqlUrl, { token });
    const ask = async (document: string) =>
      (await socket.subscribe(document).next(() => true, 'an answer')).data;
    const created = async () => (await ask(CREATE)).createVideo.__typename;
    expect(await created()).toBe('CreateVideoPayload');
    const watching = socket.subscribe(WATCH);
    await watching.next(() => true, 'an event');
    await setRole('member');
    await waitPromised(async () => (await created()) === 'ForbiddenError', {
      describe: 'createVideo to be refused',
      withinMs: 2_000,
      databaseUrl: api.databaseUrl,
    });
    expect(await ask('{ viewer { role } }')).toEqual({ viewer: { role: 'MEMBER' } });
    // What a member may do goes on, on the same socket.
    expect(watching.ended()).toBeNull();
    await setRole('tenant_admin');
    await waitPromised(async () => (await created()) === 'CreateVideoPayload', {
      describe: 'createVideo to be allowed again',
      withinMs: 2_000,
      databaseUrl: api.databaseUrl,
    });
    expect(socket.closeCode()).toBeNull();
    await socket.close();
  });
});

describe('a super admin who acts on a tenant', () => {
  it('is refused when there is none, and every stream ends when it is deleted', async () => {
    const gone = await api.makeTenant();
    const root = await api.token(tenantId, 'super_admin', { subject: 'root' });
    const nowhere = openSocket(api.server.graphqlUrl, {
      token: root,
      tenantId: '01900000-0000-7000-8000-000000000000',
    });
    await waitFor(() => nowhere.closeCode() === 4403, { describe: 'the socket to close' });
    await nowhere.close();
    const socket = openSocket(api.server.graphqlUrl, { token: root, tenantId: gone });
    await socket.subscribe(WATCH).next(() => true, 'an event');
    await api.superuser.query('update millrace.tenants set deleted_at = now() where id = $1', [gone]);
    await waitPromised(() => socket.closeCode() === 4403, {
      describe: 'the socket to close',
      withinMs: 2_000,
      databaseUrl: api.databaseUrl,
    });
    await socket.close();
    const header = { 'x-millrace-tenant': gone };
    const answer = await waitPromised(
      async () => {
        const asked = await api.query(root, '{ jobs { nodes { id } } }', {}, header);
        return asked.status === 401 ? asked : null;
      },
      { describe: 'a request to be refused', withinMs: 2_000, databaseUrl: api.databaseUrl },
    );
    expect(answer.errors[0]).toMatchObject({
      message: `There is no tenant ${gone} to act on`,
      extensions: { code: 'UNAUTHENTICATED' },
    });
  });
});

describe('a socket is refused', () => {
  it('with 4403 without a token, with a bad one and with an ended one', async () => {
    const ended = await api.token(tenantId, 'member', { ttlSeconds: -1 });
    for (const params of [{}, { token: 'bad' }, { token: ended }]) {
      const socket = openSocket(api.server.graphqlUrl, params);
      await waitFor(() => socket.closeCode(), { describe: 'the socket to close' });
      expect(socket.closeCode()).toBe(4403);
      await socket.close();
    }
  });

  it('at the upgrade for a page of another origin, and accepted for one of ours', async () => {
    const url = api.server.graphqlUrl.replace(/^http/, 'ws');
    const statusFor = (origin: string) =>
      new Promise<number>((resolve) => {
        const socket = new WebSocket(url, 'graphql-transport-ws', { origin });
        socket.on('unexpected-response', (_request, response) => {
          resolve(response.statusCode ?? 0);
          response.destroy();
        });
        socket.on('open', () => {
          resolve(101);
          socket.terminate();
        });
        socket.on('error', () => undefined);
      });
    expect(await statusFor('http://evil.example')).toBe(403);
    expect(await statusFor(api.url)).toBe(101);
  });

  it('takes the token of the upgrade’s Authorization header as well', async () => {
    const token = await api.token(tenantId, 'member');
    const socket = new WebSocket(api.server.graphqlUrl.replace(/^http/, 'ws'), 'graphql-transport-ws', {
      headers: { authorization: `Bearer ${token}` },
    });
    const said: string[] = [];
    socket.on('open', () => socket.send('{"type":"connection_init"}'));
    socket.on('message', (data) => said.push(String(data)));
    await waitFor(() => said.includes('{"type":"connection_ack"}'), { describe: 'connection_ack' });
    socket.terminate();
  });
});
