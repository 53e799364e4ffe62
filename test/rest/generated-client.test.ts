import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = (name: string) => join(root, 'node_modules/.bin', name);
const run = promisify(execFile);

let api: TestApi;
let folder: string;
beforeAll(async () => {
  [api, folder] = await Promise.all([startTestApi(), mkdtemp(join(tmpdir(), 'millrace-client-'))]);
});
afterAll(async () => {
  await api?.close();
  await rm(folder, { recursive: true, force: true });
});

test('a client that openapi-typescript makes of the document compiles and works', async () => {
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await copyFile(join(root, 'test/rest/generated-client.txt'), join(folder, 'client.ts'));
  await run(bin('openapi-typescript'), [join(root, 'openapi.json'), '-o', join(folder, 'millrace.d.ts')]);
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  const flags = [
    ...options,
    '--allowImportingTsExtensions',
    '--skipLibCheck',
    '--exactOptionalPropertyTypes',
  ];
  const compiled = await run(bin('tsc'), [...flags, 'client.ts'], { cwd: folder }).catch((error) => error);
  expect(`${compiled.stdout}${compiled.stderr}`).toBe('');

  const token = await api.token(await api.makeTenant(), 'tenant_admin');
  const { stdout } = await run(process.execPath, ['client.ts', api.url, token], { cwd: folder });
  const did = JSON.parse(stdout);
  expect(did).toEqual({
    id: did.id,
    read: expect.objectContaining({ message: 'Hello' }),
    listed: [did.id],
    canceled: 'canceled',
    refused: ['UNKNOWN_DEFINITION', 404],
  });
});
