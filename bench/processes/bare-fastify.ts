import fastify from 'fastify';
import { Database } from '../../src/db/database.ts';
import { newJob } from '../../src/queue/enqueue.ts';
import { insertRows } from '../../src/queue/insert-rows.ts';
import { READY_CHANNELS } from '../../src/queue/notifications.ts';

// The least that a REST server in front of this queue can be: one route that runs the queue's own INSERT, one
// request one statement, and nothing else. Says its URL on stdout; ends with its stdin.

const [databaseUrl = '', tenantId = ''] = process.argv.slice(2);
const database = new Database({
  connectionString: databaseUrl,
  rolePrefix: 'millrace',
  maxConnections: 16,
  applicationName: 'bare fastify',
  preparedStatements: true,
  onError: (error) => process.stderr.write(`${error.message}\n`),
});
const app = fastify();
app.post<{ Body: { definition_key: string; payload: unknown } }>('/jobs', async (request, reply) => {
  const { definition_key: definitionKey, payload } = request.body;
  const job = newJob(tenantId, { definitionKey, payload, createdBy: 'bench' }, null);
  const [outcome] = await insertRows((statement, values) => database.asWorker(statement, values), [job], {
    evenDeletedTenants: false,
    notifying: READY_CHANNELS,
  });
  return reply.code(201).send(outcome);
});
const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${url}/jobs\n`);
process.stdin.resume().once('end', () => process.exit());
