import { Client, fetchExchange, gql, subscriptionExchange } from '@urql/core';
import { openSocket, type Sink, subscribeResumably } from './resumable.ts';

/** An urql client whose subscriptions outlive their connections. */
export function createUrqlClient(url: string, token: () => string | Promise<string>): Client {
  const socket = openSocket(url, token);
  return new Client({
    url,
    preferGetMethod: false,
    fetch: async (input, init) =>
      fetch(input, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${await token()}` },
      }),
    exchanges: [
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: subscribeResumably(
              socket,
              { query, variables: variables as Record<string, unknown> },
              sink as Sink,
            ),
          }),
        }),
      }),
    ],
  });
}

const JOB_CHANGES = gql`
  subscription JobChanges($filter: JobChangesFilter, $after: String) {
    jobChanges(filter: $filter, after: $after) {
      __typename
      ... on JobUpdated { cursor job { id uuid status version progress { percent } } }
      ... on JobLeft { cursor jobId }
      ... on JobRemoved { cursor jobId }
      ... on FeedReady { cursor isComplete }
      ... on FeedCheckpoint { cursor }
      ... on ResyncRequired { reason }
    }
  }
`;

export interface JobChange {
  readonly __typename: string;
  readonly job?: { readonly id: string; readonly uuid: string; readonly status: string } | null;
}

/** Calls `onEvent` with each event. @returns unsubscribes */
export function watchJobs(client: Client, filter: object, onEvent: (event: JobChange) => void): () => void {
  return client
    .subscription<{ jobChanges: JobChange }>(JOB_CHANGES, { filter })
    .subscribe(({ data, error }) => {
      if (error !== undefined) throw error;
      if (data !== undefined) onEvent(data.jobChanges);
    }).unsubscribe;
}
