import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSchema, createYoga } from 'graphql-yoga';
import pg from 'pg';

// The least that a GraphQL server in front of a queue can be: one mutation that runs one INSERT,
// autocommitted, and nothing else. In a process of its own, as ours is. Says its URL on stdout; ends with its
// stdin.

const [databaseUrl, tenantId, definitionId] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 16, application_name: 'bare yoga' });

const schema = createSchema({
  typeDefs: `
    scalar JSON
    type Query { up: Boolean }
    type Enqueued { jobId: ID! isNew: Boolean! }
    input EnqueueInput { definition: String! payload: JSON }
    type Mutation { enqueueJob(input: EnqueueInput!): Enqueued! }`,
  resolvers: {
    Mutation: {
      enqueueJob: async (_root: unknown, { input }: { input: { payload: unknown } }) => {
        const { rows } = await pool.query<{ id: string }>({
          name: 'bare_one',
          text: `insert into public.bare_jobs (tenant_id, definition_id, payload, created_by) values ($1, $2, $3, $4) returning id`,
          values: [tenantId, definitionId, JSON.stringify(input.payload), 'bench'],
        });
        return { jobId: rows[0]?.id, isNew: true };
      },
    },
  },
});
const server = createServer(createYoga({ schema, logging: false, graphiql: false, landingPage: false }));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql\n`);
});
process.stdin.resume().once('end', () => process.exit());
