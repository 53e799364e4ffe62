import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

it('a cache that keeps objects by their type and id keeps the subjects of jobs apart', async () => {
  const tenantId = await api.makeTenant();
  const token = await api.token(tenantId, 'member');
  for (const type of ['order', 'user']) {
    const answer = await api.query(
      token,
      `mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" }, subject: { type: "${type}", key: "1" } }) {
        __typename } }`,
    );
    expect(answer.data.enqueueJob.__typename).toBe('EnqueueJobPayload');
  }
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: new HttpLink({ uri: api.server.graphqlUrl, headers: { authorization: `Bearer ${token}` } }),
  });
  const { data } = await client.query<{ jobs: { nodes: { subject: object }[] } }>({
    query: gql`
      {
        jobs {
          nodes {
            id
            subject {
              type
              key
            }
          }
        }
      }
    `,
  });
  expect(data?.jobs.nodes.map(({ subject }) => subject)).toMatchObject([
    { type: 'user', key: '1' },
    { type: 'order', key: '1' },
  ]);
  client.stop();
});
