import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { callIn, startCallWorker } from '../../support/call-platform.ts';
import { makeMedia, TONE } from '../../support/media.ts';
import { operations } from '../../support/rest-contract.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

const page = readFileSync(new URL('../../../docs/calls.md', import.meta.url), 'utf8');
const blocks = (kind: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text]) => text as string,
  );
const nameOf = (document: string) => /^(?:query|mutation) (\w+)/.exec(document)?.[1] ?? 'unnamed';
/** The call that the page names. */
const NAMED = '01900000-0000-7000-8000-000000000001';

let api: TestApi;
let worker: RunningWorker;
let admin: string;
let uploaded: string;

beforeAll(async () => {
  api = await startTestApi();
  const tenantId = await api.makeTenant();
  admin = await api.token(tenantId, 'tenant_admin');
  worker = await startCallWorker(api);
});
afterAll(async () => {
  await worker?.stop(0);
  await api?.close();
});

test('the commands of docs/calls.md submit a recording when they are pasted as they are', async () => {
  const cwd = await makeTempDir();
  await rename(await makeMedia(cwd, [...TONE(2), 'made.wav']), join(cwd, 'call.wav'));
  const script = `export API='${api.url}' TOKEN='${admin}'\n${blocks('sh').join('\n')}\necho; echo $CALL`;
  const { stdout } = await promisify(execFile)('sh', ['-ec', script], { cwd });
  uploaded = stdout.trim().split('\n').at(-1) as string;
  expect(await callIn(api, admin, uploaded, 'READY', 'FAILED')).toMatchObject({
    status: 'READY',
    speakers: ['Ann', 'Bob'],
  });
});

test('its documents do what it says, each by its name', async () => {
  const outcomes: Readonly<Record<string, object>> = {
    Submit: { submitCall: { call: { uuid: expect.any(String) }, upload: { url: expect.any(String) } } },
    Cost: { call: { cost: { audioSeconds: 0, totalMicros: null } } },
    Used: { usage: { days: expect.any(Array) } },
    Clip: { requestClip: { isNew: true, clip: { status: expect.any(String) } } },
    Search: { searchCalls: { edges: [] } },
  };
  const documents = blocks('graphql');
  expect(documents.map(nameOf).sort()).toEqual(Object.keys(outcomes).sort());
  for (const document of documents) {
    const { data, errors } = await api.query(admin, document.replaceAll(NAMED, uploaded), {});
    expect(errors, document).toEqual([]);
    expect(data, document).toMatchObject(outcomes[nameOf(document)] as object);
  }
});

test('its table of routes names those that there are, and all of them', () => {
  const routes = operations
    .map(({ path }) => path.replace('/api/v1', ''))
    .filter((path) => path.startsWith('/calls'));
  const named = [...page.matchAll(/`(?:[A-Z]+ )?(\/(?:calls|analysis|artifacts|clips)[a-z_/{}]*)`/g)].map(
    ([, path]) => ((path as string).startsWith('/calls') ? path : `/calls/{call_id}${path}`),
  );
  expect([...new Set(named)].sort()).toEqual([...new Set(routes)].sort());
});
