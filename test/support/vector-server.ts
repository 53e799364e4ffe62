import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { registerOpen } from './leaks.ts';

/**
 * A Postgres in this process that has pgvector, migrated: the one that tests have elsewhere comes without the
 * extension.
 */
export async function startVectorServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const closed = registerOpen('a Postgres with pgvector');
  const db = await PGlite.create({ extensions: { vector } });
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 10 });
  await server.start();
  const url = `postgresql://postgres@${server.getServerConn()}/postgres`;
  await migrate({ connectionString: url, rolePrefix: 'millrace', log: () => undefined });
  return {
    url,
    close: async () => {
      await server.stop();
      await db.close();
      closed();
    },
  };
}
