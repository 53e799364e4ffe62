import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** A migration as it lies on disk, in Prisma's layout. */
export interface MigrationFile {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file in lower-case hex: what Prisma keeps, so that `prisma migrate status` agrees. */
  readonly checksum: string;
}

/** The migrations that ship with Millrace. */
export const MIGRATIONS_URL = new URL('../../../prisma/migrations/', import.meta.url);

/** Reads the migrations of a folder in the order of their names. */
export async function readMigrations(folder: URL = MIGRATIONS_URL): Promise<readonly MigrationFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const content = await readFile(new URL(`${name}/migration.sql`, folder));
      return {
        name,
        sql: content.toString('utf8'),
        checksum: createHash('sha256').update(content).digest('hex'),
      };
    }),
  );
}
