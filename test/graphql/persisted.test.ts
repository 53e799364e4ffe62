import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { loadManifest, manifestOf } from '../../src/graphql/prepare/manifest.ts';
import { hashApiKey, newApiKey } from '../../src/identity/api-key.ts';
import { startTestApi, TEST_SECRET, type TestApi } from '../support/api.ts';
import { ask, TRANSPORTS } from '../support/ask.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const byHash = (hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: hash } } });

const VIEWER = 'query Viewer { viewer { name } }';
const PAGE = 'query Page($first: Int) { jobs(first: $first) { nodes { id } } }';
const WATCH = 'subscription Watch { jobChanges { __typename } }';
const OUTDATED = 'query Outdated { longGone }';

let api: TestApi;
let folder: string;
let tenantId: string;
let token: string;
/** Of an API key that may run registered operations alone. */
let strict: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-test-persisted-'));
  const path = join(folder, 'operations.json');
  await writeFile(
    path,
    JSON.stringify({
      [sha256(VIEWER)]: VIEWER,
      [sha256(WATCH)]: WATCH,
      'page/v1': PAGE,
      [sha256(OUTDATED)]: OUTDATED,
    }),
  );
  api = await startTestApi({ env: { MILLRACE_PERSISTED_OPERATIONS: path } });
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'member');
  strict = newApiKey();
  await api.superuser.query(
    `insert into millrace.api_keys (tenant_id, name, key_hash, role, persisted_only) values ($1, 'frontend', $2, 'member', true)`,
    [tenantId, hashApiKey(strict)],
  );
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

describe.each(TRANSPORTS)('over %s, a registered operation', (transport) => {
  it('is run by its hash, by its id, and by `sha256:` before its hash', async () => {
    for (const asked of [
      byHash(sha256(VIEWER)),
      { documentId: sha256(VIEWER) },
      { documentId: `sha256:${sha256(VIEWER)}` },
      { documentId: 'page/v1', variables: { first: 3 } },
      { documentId: sha256(PAGE) },
      { query: VIEWER, ...byHash(sha256(VIEWER)) },
    ]) {
      const answer = await ask(api, strict, transport, asked);
      expect(answer.errors).toEqual([]);
      expect(answer.data).not.toBeNull();
    }
  });

  it('is the only one for a key that says so; its whole text is as good as its id', async () => {
    const other = '{ viewer { role } }';
    for (const asked of [{ query: other }, { query: other, ...byHash(sha256(other)) }]) {
      const { errors, data, status } = await ask(api, strict, transport, asked);
      expect(errors[0]?.extensions).toMatchObject({ code: 'PERSISTED_ONLY' });
      expect(data).toBeNull();
      if (transport === 'http') expect(status).toBe(403);
    }
    expect((await ask(api, strict, transport, { query: VIEWER })).errors).toEqual([]);
    expect((await ask(api, token, transport, { query: other })).errors).toEqual([]);
  });

  it('keeps its limits: the variables are the client’s', async () => {
    const { errors } = await ask(api, strict, transport, {
      documentId: 'page/v1',
      variables: { first: 1_000_000 },
    });
    expect(errors[0]?.extensions).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'first',
      allowed: '1 to 100',
    });
  });

  it('that is not valid any more says what is wrong with it', async () => {
    const { errors } = await ask(api, strict, transport, { documentId: sha256(OUTDATED) });
    expect(errors[0]?.extensions).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
  });
});

describe.each(TRANSPORTS)('over %s, an automatic one', (transport) => {
  // A text of its own for each transport and each try.
  const fresh = () => `query Fresh { viewer { name } } # ${transport} ${Math.random()}`;

  it('is not known, then comes with its hash, and is known by the hash from then on', async () => {
    const text = fresh();
    const unknown = await ask(api, token, transport, byHash(sha256(text)));
    expect(unknown.errors[0]).toMatchObject({
      message: 'PersistedQueryNotFound',
      extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
    });
    expect((await ask(api, token, transport, { query: text, ...byHash(sha256(text)) })).errors).toEqual([]);
    const known = await ask(api, token, transport, byHash(sha256(text)));
    expect(known.data).toEqual({ viewer: { name: 'user:alice' } });
    // Not for those to whom only registered ones are open, although it is there.
    const refused = await ask(api, strict, transport, byHash(sha256(text)));
    expect(refused.errors[0]?.extensions).toMatchObject({ code: 'PERSISTED_QUERY_NOT_FOUND' });
  });

  it('is not kept under a hash that is not its own, nor when it is not valid', async () => {
    const text = fresh();
    const wrong = await ask(api, token, transport, { query: text, ...byHash(sha256('other')) });
    expect(wrong.errors[0]?.extensions).toMatchObject({ code: 'PERSISTED_QUERY_HASH_MISMATCH' });
    const invalid = text.replace('viewer', 'nobody');
    await ask(api, token, transport, { query: invalid, ...byHash(sha256(invalid)) });
    const after = await ask(api, token, transport, byHash(sha256(invalid)));
    expect(after.errors[0]?.extensions).toMatchObject({ code: 'PERSISTED_QUERY_NOT_FOUND' });
  });

  it('and ids that are none of the registered ones or no ids at all are distinguished', async () => {
    const codeOf = async (asked: object) =>
      (await ask(api, token, transport, asked)).errors[0]?.extensions?.['code'];
    expect(await codeOf({ documentId: 'page/v2' })).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect(await codeOf({ documentId: 'page/v1', query: VIEWER })).toBe('PERSISTED_QUERY_HASH_MISMATCH');
    expect(await codeOf(byHash('not a hash'))).toBe('BAD_REQUEST');
    expect(await codeOf({ documentId: 7 })).toBe('BAD_REQUEST');
    expect(await codeOf({})).toBe('BAD_REQUEST');
  });
});

describe('a stream', () => {
  it('is begun by the hash alone', async () => {
    const socket = openSocket(api.server.graphqlUrl, { token: strict });
    const stream = socket.client.iterate({ query: '', ...byHash(sha256(WATCH)) } as never);
    const first = await stream.next();
    expect(first.value?.data).toMatchObject({ jobChanges: { __typename: 'FeedReady' } });
    await stream.return?.();
    await waitFor(() => api.server.subscriberCount === 0, { describe: 'the stream to end' });
    await socket.close();
  });
});

describe('a token with the claim `persisted_only`', () => {
  it('runs registered operations alone', async () => {
    const claimed = await new SignJWT({ tenant_id: tenantId, role: 'member', persisted_only: true })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('carol')
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(new TextEncoder().encode(TEST_SECRET));
    const { errors } = await ask(api, claimed, 'http', { query: '{ viewer { role } }' });
    expect(errors[0]?.extensions).toMatchObject({ code: 'PERSISTED_ONLY' });
    expect((await ask(api, claimed, 'http', { documentId: sha256(VIEWER) })).errors).toEqual([]);
  });
});

describe('by GET', () => {
  const get = (parameters: Record<string, string>) =>
    fetch(`${api.server.graphqlUrl}?${new URLSearchParams(parameters)}`, {
      headers: { authorization: `Bearer ${strict}`, connection: 'close', accept: 'application/json' },
    });

  it('both forms are run', async () => {
    for (const parameters of [
      { documentId: sha256(VIEWER) },
      { extensions: JSON.stringify(byHash(sha256(VIEWER)).extensions) },
      { documentId: 'page/v1', variables: '{"first":2}' },
    ] as Record<string, string>[])
      expect(await (await get(parameters)).json()).toMatchObject({ data: expect.anything() });
  });
});

describe('installations', () => {
  it('may run registered operations alone, and keep no automatic ones', async () => {
    const closed = await startTestApi({ env: { MILLRACE_PERSISTED_ONLY: 'true' } });
    const manual = await startTestApi({ env: { MILLRACE_AUTOMATIC_PERSISTED: 'false' } });
    try {
      const [theirs, mine] = [
        await closed.token(await closed.makeTenant(), 'tenant_admin'),
        await manual.token(await manual.makeTenant(), 'member'),
      ];
      const { errors } = await ask(closed, theirs, 'http', { query: VIEWER });
      expect(errors[0]?.extensions).toMatchObject({ code: 'PERSISTED_ONLY' });
      const unsupported = await ask(manual, mine, 'http', byHash(sha256(VIEWER)));
      expect(unsupported.errors[0]).toMatchObject({
        message: 'PersistedQueryNotSupported',
        extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' },
      });
    } finally {
      await Promise.all([closed.close(), manual.close()]);
    }
  });
});

describe('the file of registered operations', () => {
  it('may also be a manifest as Apollo writes it', () => {
    const manifest = manifestOf(
      {
        format: 'apollo-persisted-query-manifest',
        version: 1,
        operations: [{ id: sha256(VIEWER), name: 'Viewer', type: 'query', body: VIEWER }],
      },
      'x.json',
    );
    expect(manifest.byId.get(sha256(VIEWER))).toBe(VIEWER);
  });

  it.each([
    ['no object', []],
    ['a document that is no text', { a: 1 }],
    ['a hash of another document', { [sha256('other')]: VIEWER }],
    ['an unknown format', { format: 'x', version: 1, operations: [] }],
    ['an entry without an id', { format: 'apollo-persisted-query-manifest', version: 1, operations: [{}] }],
  ])('with %s is refused, with what is allowed', (_what, content) => {
    expect(() => manifestOf(content, 'x.json')).toThrow(
      expect.objectContaining({ code: 'ConfigInvalid', message: expect.stringContaining('x.json') }),
    );
  });

  it('that is not there keeps the server from starting', async () => {
    await expect(loadManifest(join(folder, 'nothing.json'))).rejects.toBeInstanceOf(DomainError);
  });
});
