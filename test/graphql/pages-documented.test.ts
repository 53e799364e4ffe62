import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

const documents = ['dependencies', 'limits', 'maintenance'].flatMap((name) => {
  const page = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
  return [...page.matchAll(/^```graphql\n([\s\S]*?)^```/gm)].map((match) => match[1] as string);
});
const nameOf = (document: string) => /^(?:query|mutation) (\w+)/.exec(document)?.[1] ?? 'unnamed';

/** The jobs that the pages name. */
const idOf = (no: number) => `01900000-0000-7000-8000-00000000000${no}`;

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await startTestApi();
  const tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'super_admin');
  await api.superuser.query(
    `insert into millrace.job_definitions (key, arg_schema) values ('sync-dropbox', '{}')`,
  );
  for (const no of [1, 2, 3])
    await api.superuser.query(
      `insert into millrace.jobs (id, tenant_id, definition_id)
       select $1, $2, id from millrace.job_definitions where key = 'echo'`,
      [idOf(no), tenantId],
    );
});
afterAll(() => api.close());

/** What each document must come to, in the order of the pages. One that is not here fails the first test. */
const OUTCOMES: Record<string, object> = {
  AfterTheOthers: { enqueueJob: { job: { pendingDependencyCount: 2 } } },
  WhatWaits: { job: { status: 'QUEUED', reason: null, pendingDependencyCount: 0, dependsOn: [] } },
  LimitLane: { setLaneLimit: { __typename: 'SetLaneLimitPayload' } },
  Waiting: {
    jobs: {
      nodes: [
        { waitingFor: { reason: 'DEPENDENCY' } },
        ...[1, 2, 3].map(() => ({ waitingFor: { reason: 'NO_WORKER' } })),
      ],
    },
  },
  Usage: { usage: { days: [] } },
};

it('the pages about dependencies, limits and maintenance have documents to try, each with an outcome here', () => {
  expect(documents.map(nameOf)).toEqual(Object.keys(OUTCOMES));
});

it.each(documents.map((document) => [nameOf(document), document]))(
  'their document %s does what the page says when it is pasted as it is',
  async (name, document) => {
    const answer = await api.query(token, document, {});
    expect(answer.errors).toEqual([]);
    expect(answer.data).toMatchObject(OUTCOMES[name as string] as object);
  },
);
