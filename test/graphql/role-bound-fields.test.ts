import { readFileSync } from 'node:fs';
import { buildSchema, getNamedType, isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SCOPES } from '../../src/core/scopes.ts';
import { hashApiKey, newApiKey } from '../../src/identity/api-key.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { selectAll } from '../support/selection.ts';
import { makeTenantRows, type TenantRows } from '../support/tenant-rows.ts';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const LEVELS = 3;

let api: TestApi;
let rows: TenantRows;
/** A worker, a member, and an admin's API key of each scope alone. */
const callers: { readonly name: string; readonly token: string }[] = [];

beforeAll(async () => {
  // What roles and scopes hide is asked for all at once.
  api = await startTestApi({
    env: {
      MILLRACE_MAX_COMPLEXITY: '1000000',
      MILLRACE_CALLER_COST_PER_SECOND: '0',
      MILLRACE_TENANT_COST_PER_SECOND: '0',
    },
  });
  rows = await makeTenantRows(api, 'ours');
  for (const role of ['worker', 'member'] as const)
    callers.push({ name: role, token: await api.token(rows.tenantId, role) });
  for (const scope of SCOPES) {
    const token = newApiKey();
    await api.superuser.query(
      `insert into millrace.api_keys (tenant_id, name, role, key_hash, scopes) values ($1, 'k', 'tenant_admin', $2, $3)`,
      [rows.tenantId, hashApiKey(token), [scope]],
    );
    callers.push({ name: scope, token });
  }
});
afterAll(() => api.close());

/**
 * What the fields of `Query` that need arguments are asked for. A new one fails the test until it is here.
 */
const ARGUMENTS: Readonly<Record<string, () => string>> = {
  bulkAction: () => `(id: "${rows.bulkActionId}")`,
  event: () => `(id: "${rows.eventId}")`,
  link: () => `(id: "${rows.linkId}")`,
  searchLinks: () => '(query: "talk", mode: WORDS)',
  trigger: () => `(id: "${rows.triggerId}")`,
  schedulePreview: () => '(input: { cron: "@daily" })',
  testTrigger: () => '(input: { trigger: { label: "t", definition: "echo", eventName: "a" } })',
  call: () => `(id: "${rows.callId}")`,
  searchCalls: () => '(query: "ours")',
  clip: () => `(id: "${rows.clipId}")`,
  job: () => `(id: "${rows.jobId}")`,
  jobDefinition: () => '(key: "echo")',
  node: () => `(id: "ApiKey:${rows.apiKeyId}")`,
  nodes: () => `(ids: ["ApiKey:${rows.apiKeyId}", "Video:${rows.videoId}"])`,
  searchVideos: () => '(first: 1, hitsPerVideo: 1)',
  videos: () => '(first: 1)',
  usage: () => '(from: "2026-11-01T00:00:00Z", to: "2026-11-02T00:00:00Z")',
  video: () => `(id: "${rows.videoId}")`,
};

function at(data: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (value as Record<string | number, unknown> | null)?.[step],
    data,
  );
}

it('what a caller may not see is null at its own field, and leaves everything beside it', async () => {
  const bound = new Set<string>();
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const given = ARGUMENTS[field.name]?.() ?? '';
    expect(field.args.some(isRequiredArgument) && given === '', field.name).toBe(false);
    const type = getNamedType(field.type);
    // All that has an id, each with all that it shows, would be more than an operation may ask for.
    const everything = type.name === 'Node' ? '{ id }' : selectAll(schema, type.name, LEVELS);
    for (const { name, token } of callers) {
      const answer = await api.query(
        token,
        `{ beside: viewer { name } found: ${field.name}${given} ${everything} }`,
      );
      expect(
        answer.data?.beside?.name,
        `${field.name} for ${name}: ${JSON.stringify(answer.errors).slice(0, 400)}`,
      ).toEqual(expect.any(String));
      for (const { path = [], extensions } of answer.errors) {
        expect(extensions?.['code'], `${field.name} for ${name}`).toBe('FORBIDDEN');
        // A field that is never null takes the one above it along, which is never the root's own data.
        const length = path.findIndex((_, index) => at(answer.data, path.slice(0, index + 1)) === null) + 1;
        expect(length, path.join('.')).toBeGreaterThanOrEqual(Math.min(path.length - 1, 1) || 1);
        expect(at(answer.data, path.slice(0, length)), path.join('.')).toBeNull();
        expect(path.length - length, path.join('.')).toBeLessThanOrEqual(1);
        bound.add([field.name, ...path.slice(1)].filter((step) => typeof step === 'string').join('.'));
      }
    }
  }
  // The test sees such fields at all, at the root and below.
  expect([...bound]).toEqual(
    expect.arrayContaining(['auditLog', 'jobs', 'nodes', 'tenant.apiKeys', 'usage', 'videos']),
  );
});
