import { afterAll, beforeAll, expect, it } from 'vitest';
import * as apollo from '../../examples/frontend/apollo.ts';
import * as urql from '../../examples/frontend/urql.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';

let api: TestApi;
let tenantId: string;
let token: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'tenant_admin');
});
afterAll(() => api.close());

const examples = {
  urql: (filter: object, heard: (event: urql.JobChange) => void) =>
    urql.watchJobs(
      urql.createUrqlClient(api.server.graphqlUrl, () => token),
      filter,
      heard,
    ),
  apollo: (filter: object, heard: (event: urql.JobChange) => void) =>
    apollo.watchJobs(
      apollo.createApolloClient(api.server.graphqlUrl, () => token),
      filter,
      heard,
    ),
};

it.each(['urql', 'apollo'] as const)(
  'with %s a watch goes on by cursor after the server was restarted',
  async (name) => {
    const seen: urql.JobChange[] = [];
    const correlationId = `example-${name}`;
    const leave = examples[name]({ correlationId }, (event) => seen.push(event));
    await waitFor(() => seen.some(({ __typename }) => __typename === 'FeedReady'), { describe: 'FeedReady' });
    let uuid = '';
    await api.restart(async () => {
      const { rows } = await api.superuser.query(
        `insert into millrace.jobs (tenant_id, definition_id, payload, correlation_id, max_attempts)
       select $1, id, '{"message":"meanwhile"}', $2, 3 from millrace.job_definitions where key = 'echo' returning id`,
        [tenantId, correlationId],
      );
      uuid = rows[0].id;
    });
    await waitFor(() => seen.some(({ job }) => job?.uuid === uuid), {
      describe: 'the job made meanwhile',
    });
    // A second FeedReady would mean that it had begun again.
    expect(seen.filter(({ __typename }) => __typename === 'FeedReady')).toHaveLength(1);
    leave();
    await waitFor(() => api.server.subscriberCount === 0, { describe: 'no subscriber' });
  },
);
