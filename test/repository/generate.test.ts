import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runStep } from '../../scripts/checks/steps.ts';
import { plant } from './planted.ts';

const COPIED = ['scripts/generate.ts', 'prisma/schema.prisma', 'prisma.config.ts', 'package.json'];
const generate = (folder: string) => runStep({ name: 'generate', argv: ['scripts/generate.ts'] }, folder);

describe('the prepare step', () => {
  it('generates the Prisma client, quietly, and again only when the schema has changed', async () => {
    await using planted = await plant(COPIED, {});
    const client = join(planted.folder, 'src/generated/prisma/client.ts');
    expect(await generate(planted.folder)).toMatchObject({ passed: true, output: '' });
    const first = (await stat(client)).mtimeMs;

    expect(await generate(planted.folder)).toMatchObject({ passed: true, output: '' });
    expect((await stat(client)).mtimeMs).toBe(first);

    await writeFile(
      join(planted.folder, 'prisma/schema.prisma'),
      'generator client {\n  provider = "prisma-client"\n  output = "../src/generated/prisma"\n}\n' +
        'datasource db {\n  provider = "postgresql"\n}\nmodel Only {\n  id Int @id\n}\n',
    );
    expect(await generate(planted.folder)).toMatchObject({ passed: true, output: '' });
    expect((await stat(join(planted.folder, 'src/generated/prisma/models/Only.ts'))).isFile()).toBe(true);
  });

  it('fails with what Prisma says about a schema that it cannot read', async () => {
    await using planted = await plant(COPIED, { 'prisma/schema.prisma': 'modle Wrong {\n}\n' });
    const { passed, output } = await generate(planted.folder);
    expect(passed).toBe(false);
    expect(output).toContain('modle Wrong');
  });

  it('does nothing where the development packages are not installed, and reports when a client is missing', async () => {
    await using planted = await plant(COPIED, {});
    await rm(join(planted.folder, 'node_modules'));
    const { passed, output } = await generate(planted.folder);
    expect(passed).toBe(true);
    expect(output).toContain('src/generated/prisma is missing');
  });
});
