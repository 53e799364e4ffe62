import { readFileSync } from 'node:fs';
import { buildSchema, getNamedType, isUnionType } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { rootFields, selectAll } from '../support/selection.ts';
import type { RoleCell, RoleRows } from './role-cell.ts';
import { WRITES } from './role-matrix-writes.ts';
import { makeRoleRows } from './role-rows.ts';

// Of every mutation: as soon as it has committed anything, no read succeeds for a moment. It must answer what
// it did all the same.

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const LEVELS = 3;

let api: TestApi;
let tenantId: string;
let rows: RoleRows;

beforeAll(async () => {
  api = await startTestApi({ env: { MILLRACE_SCAN_TENANT: 'ours' } });
  ({ tenantId, rows } = await makeRoleRows(api));
  await api.superuser.query(`
    create table public.test_written (is_written boolean primary key, at timestamptz not null default clock_timestamp());
    create function public.test_note_write() returns trigger language plpgsql security definer as $$
    begin insert into public.test_written values (true) on conflict (is_written) do update set at = clock_timestamp(); return null; end $$;
    create function public.test_is_readable() returns boolean language plpgsql stable security definer as $$
    begin
      if current_setting('transaction_read_only') = 'on' and exists (select from public.test_written where at > clock_timestamp() - interval '40 milliseconds') then
        raise exception 'nothing can be read';
      end if;
      return true;
    end $$;
    do $$
    declare t record;
    begin
      for t in select c.relname from pg_class c where c.relnamespace = 'millrace'::regnamespace and c.relkind = 'r' loop
        execute format('create trigger zz_test_written after insert or update or delete on millrace.%I for each statement execute function public.test_note_write()', t.relname);
      end loop;
      for t in select distinct c.relname from pg_class c join pg_policy p on p.polrelid = c.oid where c.relnamespace = 'millrace'::regnamespace loop
        execute format('create policy unreadable on millrace.%I as restrictive for select to millrace_api, millrace_admin using (public.test_is_readable())', t.relname);
      end loop;
      -- What has no tenant is read by all.
      execute 'alter table millrace.job_definitions enable row level security, force row level security';
      execute 'create policy everything on millrace.job_definitions using (true) with check (true)';
      execute 'create policy unreadable on millrace.job_definitions as restrictive for select to millrace_api, millrace_admin using (public.test_is_readable())';
    end $$;`);
});
afterAll(() => api.close());

/**
 * The document of the matrix, which asks for failures alone, asking for all that the payload shows as well.
 */
function whole(document: string, field: string): string {
  const answer = schema.getMutationType()?.getFields()[field];
  const type = answer === undefined ? undefined : getNamedType(answer.type);
  if (!isUnionType(type)) return document;
  const payloads = schema.getPossibleTypes(type).filter(({ name }) => name.endsWith('Payload'));
  const shown = payloads.map(({ name }) => `... on ${name} ${selectAll(schema, name, LEVELS)}`).join(' ');
  return document.replace(
    '... on DomainFailure { code }',
    `__typename ... on DomainFailure { code } ${shown}`,
  );
}

interface Outcome {
  readonly isWritten: boolean;
  readonly isAnswered: boolean;
  readonly codes: readonly unknown[];
}

async function outcomeOf(field: string, { roles, document }: RoleCell): Promise<Outcome> {
  const token = await api.token(
    tenantId,
    roles.includes('tenant_admin') ? 'tenant_admin' : (roles[0] ?? 'member'),
  );
  await api.superuser.query('truncate public.test_written');
  const { data, errors } = await api.query(token, whole(document(rows), field));
  const { rowCount } = await api.superuser.query('select from public.test_written');
  return {
    isWritten: rowCount === 1,
    isAnswered: data?.[field] != null,
    // What the payload shows beside what was written is another read, which may fail as any.
    codes: errors.filter(({ path = [] }) => path.length <= 2).map(({ extensions }) => extensions?.['code']),
  };
}

const MUTATIONS = rootFields(schema)
  .map(([coordinate]) => coordinate)
  .filter((coordinate) => coordinate.startsWith('Mutation.'));

it('a mutation that has committed answers what it did, though nothing can be read for a moment after it', async () => {
  const faults: unknown[] = [];
  const written: string[] = [];
  for (const coordinate of MUTATIONS) {
    const field = coordinate.slice('Mutation.'.length);
    const outcome = await outcomeOf(field, WRITES[coordinate] as RoleCell);
    if (!outcome.isWritten) continue;
    written.push(field);
    if (!outcome.isAnswered || outcome.codes.length > 0) faults.push([field, outcome]);
  }
  expect(faults).toEqual([]);
  process.stdout.write(`${written.length} of ${MUTATIONS.length} mutations wrote\n`);
  expect(written).toEqual(
    expect.arrayContaining(['enqueueJob', 'enqueueJobs', 'cancelJob', 'createApiKey', 'createTenant']),
  );
});
