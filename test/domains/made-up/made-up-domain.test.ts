import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { signToken } from '../../../src/identity/sign-token.ts';
import { type Platform, startPlatform } from '../../e2e/platform.ts';
import { openStream } from '../../support/sse.ts';
import { waitFor } from '../../support/wait.ts';
import { PARCEL_TABLES } from './parcel-tables.ts';

const ITEMS = 4;
const WEIGHTS_SUM_GRAMS = 1_000;

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform(
    {},
    {
      prepare: PARCEL_TABLES,
      programs: {
        server: 'test/domains/made-up/server.fixture.ts',
        worker: 'test/domains/made-up/worker.fixture.ts',
      },
    },
  );
  await platform.startWorker();
});
afterAll(() => platform.close());

async function send(label: string): Promise<string> {
  const { sendParcel } = await platform.api<{ sendParcel: { parcel: { id: string; status: string } } }>(
    'mutation ($label: String!, $items: Int!) { sendParcel(label: $label, items: $items) { ... on SendParcelPayload { parcel { id status } } } }',
    { label, items: ITEMS },
  );
  expect(sendParcel.parcel.status).toBe('packing');
  return sendParcel.parcel.id;
}

/** The runs of a parcel's jobs, as `parcel_weigh succeeded 2`. */
async function runsOf(): Promise<readonly string[]> {
  const { rows } = await platform.superuser.query(
    `select d.key, j.status, j.run_no, count(*)::int as jobs from millrace.jobs j
     join millrace.job_definitions d on d.id = j.definition_id where j.subject_type = 'parcel' group by 1, 2, 3 order by 1, 3`,
  );
  return rows.map(({ key, status, run_no, jobs }) => `${jobs} × ${key} ${status} in run ${run_no}`);
}

describe('a domain that Millrace does not know, from a folder of its own', () => {
  test('runs end to end on processes of their own: it fans out, snoozes, joins, is streamed, and its duty does the rest', async () => {
    const id = await send('lamps and shades');
    const stream = await openStream(
      platform.graphqlUrl,
      platform.token,
      `subscription { parcelChanged(id: "${id}") { id label status weightGrams } }`,
    );
    const shipped = await stream.next(
      ({ data }) => data?.parcelChanged?.status === 'shipped',
      'the parcel to be shipped',
    );
    stream.stop();
    expect(shipped.data.parcelChanged).toEqual({
      id,
      label: 'lamps and shades',
      status: 'shipped',
      weightGrams: WEIGHTS_SUM_GRAMS,
    });
    // The join is claimed once all items are weighed, each after one snooze.
    expect(await runsOf()).toEqual([
      '1 × parcel_join succeeded in run 1',
      '1 × parcel_split succeeded in run 1',
      `${ITEMS} × parcel_weigh succeeded in run 2`,
    ]);
    const { rows } = await platform.superuser.query('select count(*)::int as items from parcels.items');
    expect(rows[0].items).toBe(ITEMS);
  });

  test('has a list that is streamed with its state, its changes and what leaves it, and goes on from a cursor', async () => {
    const packing = await openStream(
      platform.graphqlUrl,
      platform.token,
      `subscription { parcelChanges(filter: { statuses: [PACKING], createdByMe: true }) {
         __typename ... on ParcelUpdated { parcel { label } cursor } ... on ParcelLeft { parcelId } } }`,
    );
    const ready = await packing.next(
      ({ data }) => data?.parcelChanges.__typename === 'FeedReady',
      'its state',
    );
    expect(ready.data.parcelChanges.__typename).toBe('FeedReady');
    const id = await send('hats');
    const updated = await packing.next(
      ({ data }) => data?.parcelChanges.__typename === 'ParcelUpdated',
      'the new parcel',
    );
    expect(updated.data.parcelChanges.parcel).toEqual({ label: 'hats' });
    const left = await packing.next(
      ({ data }) => data?.parcelChanges.__typename === 'ParcelLeft',
      'it to leave',
    );
    expect(left.data.parcelChanges.parcelId).toBe(id);
    packing.stop();
    const resumed = await openStream(
      platform.graphqlUrl,
      platform.token,
      `subscription { parcelChanges(after: "${updated.data.parcelChanges.cursor}") { ... on ParcelUpdated { parcel { id status } } } }`,
    );
    const missed = await resumed.next(({ data }) => data?.parcelChanges.parcel?.id === id, 'what was missed');
    expect(missed.data.parcelChanges.parcel.status).not.toBe('packing');
    resumed.stop();
  });

  test('is read by its id and as a node, and by nobody of another tenant', async () => {
    const id = await send('lamps');
    const query = '($id: ID!) { parcel(id: $id) { label } node(id: $id) { id } }';
    expect(await platform.api(`query ${query}`, { id })).toEqual({
      parcel: { label: 'lamps' },
      node: { id },
    });
    const { rows } = await platform.superuser.query(
      `insert into millrace.tenants (slug, name) values ('other', 'Other') returning id`,
    );
    const other = await signToken(loadConfig({ MILLRACE_JWT_SECRET: platform.secret }), {
      subject: 'bob',
      tenantId: rows[0].id,
      role: 'tenant_admin',
      ttlSeconds: 86_400,
    });
    const response = await fetch(platform.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${other}`, connection: 'close' },
      body: JSON.stringify({ query: `query ${query}`, variables: { id } }),
    });
    expect(await response.json()).toEqual({ data: { parcel: null, node: null } });
  });

  test('fails its parcel when one of its jobs is canceled, whatever else was done', async () => {
    await platform.superuser.query(
      `update millrace.job_definitions set paused_at = now() where key = 'parcel_split'`,
    );
    const id = await send('never');
    await platform.api(
      `mutation { cancelJobs(input: { filter: { definitions: ["parcel_split"], statuses: [QUEUED] }, reason: "x" }) { __typename } }`,
    );
    await waitFor(
      async () => {
        const { parcel } = await platform.api<{ parcel: { status: string } }>(
          'query ($id: ID!) { parcel(id: $id) { status } }',
          { id },
        );
        return parcel.status === 'failed';
      },
      { describe: 'the parcel to fail' },
    );
  });
});
