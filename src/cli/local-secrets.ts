import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../core/errors.ts';
import { parseJson } from '../core/parse-json.ts';

/** Secrets of an installation that runs by itself; a production one gets its own from the configuration. */
export interface LocalSecrets {
  readonly jwtSecret: string;
  readonly signingSecret: string;
}

const FILE_NAME = 'secrets.json';

/**
 * Reads the secrets of a data directory, making them at the first start (mode 0600). Tokens and signed URLs
 * so stay good over a restart.
 * @throws DomainError `ConfigInvalid` when the file is there but says something else
 */
export async function localSecrets(dataDir: string): Promise<LocalSecrets> {
  const path = join(dataDir, FILE_NAME);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? makeSecrets(dataDir, path) : parseSecrets(text, path);
}

async function makeSecrets(dataDir: string, path: string): Promise<LocalSecrets> {
  const secrets: LocalSecrets = {
    jwtSecret: randomBytes(32).toString('base64url'),
    signingSecret: randomBytes(32).toString('base64url'),
  };
  await mkdir(dataDir, { recursive: true });
  // Written beside and renamed: a start that is killed half way leaves no half file for the next to trip
  // over.
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(secrets, null, 2));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  return secrets;
}

function parseSecrets(text: string, path: string): LocalSecrets {
  try {
    const { jwtSecret, signingSecret } = parseJson(text) as Record<string, unknown>;
    if (typeof jwtSecret === 'string' && typeof signingSecret === 'string')
      return { jwtSecret, signingSecret };
  } catch {
    // Reported below, without the text: it is a secret.
  }
  throw new DomainError(
    'ConfigInvalid',
    `${path} does not hold the two secrets of this installation. Delete it to make new ones; tokens given out so far then end.`,
    {
      field: path,
    },
  );
}
