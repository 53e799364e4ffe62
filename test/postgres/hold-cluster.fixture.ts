// "Another process": starts a server in argv[2], says so in one line of JSON, and holds it until asked to
// stop.
import pg from 'pg';
import { toError } from '../../src/core/errors.ts';
import { startEmbeddedPostgres } from '../../src/postgres/cluster.ts';

const [, , dataDir = '', systemDir] = process.argv;

function say(event: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

try {
  const cluster = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    ...(systemDir ? { systemDir } : {}),
  });
  const { url, port, pid, notes } = cluster;
  process.once('SIGINT', async () => {
    // The server must still be there: the program that runs us has things to write down before it goes.
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('select 1 as one');
    await client.end();
    await cluster.stop();
    say({ event: 'stopped', rows });
    process.exit(0);
  });
  process.stdin.on('data', () => process.exit(3));
  say({ event: 'ready', url, port, pid, notes, dataDir: cluster.dataDir, uid: process.getuid?.() });
} catch (caught) {
  const error = toError(caught);
  say({
    event: 'refused',
    message: error.message,
    code: 'code' in error ? error.code : undefined,
    details: 'details' in error ? error.details : undefined,
  });
  process.exit(1);
}
