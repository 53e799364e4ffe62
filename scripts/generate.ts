/**
 * Generates the Prisma client into src/generated/prisma; npm's `prepare` step. Skips when the output is
 * fresh, and when the development dependencies are not there (a production install brings the generated
 * client with it).
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const outputDir = join(root, 'src/generated/prisma');
const stampFile = join(outputDir, '.stamp');

/** The installed Prisma CLI: its version and its script, or undefined when it is not installed. */
function findPrisma(): { version: string; cli: string } | undefined {
  const require = createRequire(import.meta.url);
  try {
    const { version } = require('prisma/package.json') as { version: string };
    return { version, cli: require.resolve('prisma/build/index.js') };
  } catch {
    return undefined;
  }
}

/** Changes whenever the schema, the configuration or Prisma's version does. */
function fingerprint(prismaVersion: string): string {
  const hash = createHash('sha256').update(prismaVersion);
  for (const file of ['prisma/schema.prisma', 'prisma.config.ts'])
    hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function isFresh(stamp: string): boolean {
  return (
    existsSync(join(outputDir, 'client.ts')) &&
    existsSync(stampFile) &&
    readFileSync(stampFile, 'utf8') === stamp
  );
}

function generate(cli: string): void {
  const run = spawnSync(process.execPath, [cli, 'generate', '--no-hints'], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      // Prisma would download its schema engine, which generating never starts. Naming any existing
      // executable keeps the install offline; `prisma migrate` outside this script still fetches the real
      // one.
      PRISMA_SCHEMA_ENGINE_BINARY: process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ?? process.execPath,
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
    },
  });
  if (run.status === 0) return;
  process.stderr.write(`${run.stdout}${run.stderr}`);
  throw new Error(`prisma generate ended with ${run.status ?? run.signal ?? run.error?.message}`);
}

const prisma = findPrisma();
if (prisma === undefined) {
  if (!existsSync(join(outputDir, 'client.ts'))) {
    console.error(
      'millrace: src/generated/prisma is missing and the development dependencies that make it are not installed.',
    );
  }
} else {
  const stamp = fingerprint(prisma.version);
  if (!isFresh(stamp)) {
    generate(prisma.cli);
    mkdirSync(outputDir, { recursive: true });
    writeFileSync(stampFile, stamp);
  }
}
