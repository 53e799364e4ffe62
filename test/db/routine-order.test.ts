import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readRoutines } from '../../src/db/migrate/routines/files.ts';
import { makeTempDir } from '../support/temp-dir.ts';

async function pathsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = await makeTempDir();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return (await readRoutines(pathToFileURL(`${folder}/`))).map(({ path }) => path);
}

describe('the order of routines', () => {
  test('is functions, views, triggers, policies, by path', async () => {
    expect(
      await pathsOf({
        'b/x.trigger.sql': '',
        'a/z.view.sql': '',
        'b/y.sql': '',
        'a/p.policy.sql': '',
        'a/w.sql': '',
      }),
    ).toEqual(['a/w.sql', 'b/y.sql', 'a/z.view.sql', 'b/x.trigger.sql', 'a/p.policy.sql']);
  });

  test('puts what a routine needs before it, a view as well', async () => {
    expect(
      await pathsOf({
        'a/a.sql': '-- owner: worker\n-- needs: c, v\n-- needs: x',
        'a/b.sql': '',
        'c/c.sql': '',
        'c/v.view.sql': '',
      }),
    ).toEqual(['c/c.sql', 'c/v.view.sql', 'a/a.sql', 'a/b.sql']);
  });

  test('refuses a circle, an unmet need, one name twice and a file of another kind', async () => {
    await expect(pathsOf({ 'a/a.sql': '-- needs: b', 'a/b.sql': '-- needs: a' })).rejects.toThrow(
      'a/a.sql → a/b.sql → a/a.sql',
    );
    await expect(pathsOf({ 'a/a.sql': '-- needs: b' })).rejects.toThrow('a/a.sql needs b, which has no file');
    await expect(pathsOf({ 'a/a.sql': '', 'b/a.sql': '' })).rejects.toThrow(
      'a/a.sql and b/a.sql have the same name',
    );
    await expect(pathsOf({ 'a/a.table.sql': '' })).rejects.toThrow('a/a.table.sql: expected');
  });
});
