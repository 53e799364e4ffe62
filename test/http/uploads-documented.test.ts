import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { makeTempDir } from '../support/temp-dir.ts';

const page = readFileSync(new URL('../../docs/uploads.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```(sh|js)\n([\s\S]*?)^```/gm)].map(([, kind, text]) => ({ kind, text }));

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

it('the examples of docs/uploads.md bring a video in when they are pasted as they are', async () => {
  const [put, node, , address, place] = blocks.map(({ text }) => text as string);
  expect(blocks.map(({ kind }) => kind)).toEqual(['sh', 'js', 'js', 'sh', 'sh']);
  const cwd = await makeTempDir();
  await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(cwd, 'node_modules'));
  await writeFile(join(cwd, 'talk.mp4'), 'x'.repeat(100_000));
  await writeFile(join(cwd, 'upload.mjs'), node as string);
  const TOKEN = await api.token(await api.makeTenant(), 'tenant_admin');
  const setting = `export API='${api.url}' TOKEN='${TOKEN}' STORAGE='${api.storageDir}'\n`;
  const run = (script: string) => promisify(execFile)('sh', ['-ec', setting + script], { cwd });
  const completed = await run(put as string);
  expect(completed.stdout).toContain('"completeVideoUpload":{"job":{"id":"Job:');
  const { stdout } = await run('node upload.mjs');
  const imported = await run(address as string);
  expect(imported.stdout).toMatch(/"importVideo":\{"video":\{"id":"Video:[^}]*\},"job":\{"id":"Job:/);
  await run(place as string);
  const { rows } = await api.superuser.query(
    'select id, status, size_bytes from millrace.videos order by created_at',
  );
  expect(rows).toMatchObject([
    { status: 'uploaded', size_bytes: '100000' },
    { id: stdout.trim(), status: 'uploaded', size_bytes: '100000' },
    { status: 'awaiting_upload', size_bytes: null },
  ]);
});
