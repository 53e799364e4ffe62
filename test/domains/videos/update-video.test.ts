import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { makeTenantRows, type TenantRows } from '../../support/tenant-rows.ts';

let api: TestApi;
let rows: TenantRows;
let admin: string;
beforeAll(async () => {
  api = await startTestApi();
  rows = await makeTenantRows(api, 'ours');
  admin = await api.token(rows.tenantId, 'tenant_admin');
});
afterAll(() => api.close());

const UPDATE = `mutation ($input: UpdateVideoInput!) { updateVideo(input: $input) { __typename
  ... on DomainFailure { code field allowed } ... on UpdateVideoPayload { video { title version } } } }`;

const update = async (input: object) => (await api.query(admin, UPDATE, { input })).data.updateVideo;

async function videosFound(word: string): Promise<number> {
  const answer = await api.query(
    admin,
    'query ($q: String) { searchVideos(query: $q) { edges { score } } }',
    {
      q: word,
    },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.searchVideos.edges.length;
}

it('a title is changed for readers, searches and the audit log at once', async () => {
  const id = rows.videoId;
  await update({ id, title: 'Waterwheel' });
  expect(await videosFound('waterwheel')).toBe(1);
  const answer = await update({ id: `Video:${id}`, title: 'Turbine' });
  expect(answer.video).toMatchObject({ title: 'Turbine' });
  expect(await videosFound('turbine')).toBe(1);
  expect(await videosFound('waterwheel')).toBe(0);
  const audit = await api.query(
    admin,
    '{ auditLog(first: 1, filter: { action: VIDEO_UPDATE }) { nodes { targetKey details } } }',
  );
  expect(audit.data.auditLog.nodes).toEqual([
    { targetKey: id, details: { title: { from: 'Waterwheel', to: 'Turbine' } } },
  ]);
});

it('languages are changed until the upload is completed', async () => {
  const id = rows.videoId;
  expect(await update({ id, languages: ['deu', 'eng'] })).toMatchObject({ __typename: 'UpdateVideoPayload' });
  const read = async () =>
    (await api.superuser.query('select title, languages from millrace.videos where id = $1', [id])).rows[0];
  expect((await read()).languages).toEqual(['deu', 'eng']);
  await api.superuser.query(`update millrace.videos set status = 'uploaded' where id = $1`, [id]);
  expect(await update({ id, languages: ['fra'] })).toMatchObject({
    code: 'INVALID_ARGUMENT',
    field: 'input.languages',
  });
  expect((await read()).languages).toEqual(['deu', 'eng']);
});

it.each([
  ['nothing to change', {}, 'input'],
  ['an empty title', { title: '  ' }, 'input.title'],
  ['a title that is too long', { title: 'x'.repeat(501) }, 'input.title'],
  ['a title with NUL', { title: 'a\0b' }, 'input.title'],
  ['languages that are none', { languages: ['English'] }, 'input.languages[0]'],
])('%s is refused by name', async (_what, change, field) => {
  expect(await update({ id: rows.videoId, ...change })).toMatchObject({ code: 'INVALID_ARGUMENT', field });
});
