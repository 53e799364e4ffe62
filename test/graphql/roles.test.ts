import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES, type Role } from '../../src/core/actor.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { rootFields } from '../support/selection.ts';
import { openStream } from '../support/sse.ts';
import type { RoleCell, RoleRows } from './role-cell.ts';
import { MATRIX } from './role-matrix.ts';
import { makeRoleRows } from './role-rows.ts';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

let api: TestApi;
let tenantId: string;
let rows: RoleRows;

beforeAll(async () => {
  api = await startTestApi({ env: { MILLRACE_SCAN_TENANT: 'ours' } });
  ({ tenantId, rows } = await makeRoleRows(api));
});
afterAll(() => api.close());

/** Whether the answer, or a stream's first event, says FORBIDDEN. */
async function isForbidden(role: Role, document: string): Promise<boolean> {
  const token = await api.token(tenantId, role);
  if (!document.startsWith('subscription'))
    return JSON.stringify(await api.query(token, document)).includes('FORBIDDEN');
  const stream = await openStream(api.server.graphqlUrl, token, document);
  const first = await stream.next(() => true, 'an event');
  stream.stop();
  return JSON.stringify(first).includes('FORBIDDEN');
}

describe('what each role may do', () => {
  it('is written down for every root field', () => {
    expect(Object.keys(MATRIX).sort()).toEqual(
      rootFields(schema)
        .map(([coordinate]) => coordinate)
        .sort(),
    );
  });

  const cells = Object.keys(MATRIX).flatMap((field) => ROLES.map((role) => [role, field] as const));
  it.each(cells)('%s: %s', async (role, field) => {
    const { roles, document } = MATRIX[field] as RoleCell;
    expect(await isForbidden(role, document(rows))).toBe(!roles.includes(role));
  });
});
