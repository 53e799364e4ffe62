import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache, Observable } from '@apollo/client';
import { print } from 'graphql';
import { openSocket, type Sink, subscribeResumably } from './resumable.ts';

/** An Apollo client whose subscriptions outlive their connections. */
export function createApolloClient(url: string, token: () => string | Promise<string>): ApolloClient {
  const socket = openSocket(url, token);
  const live = new ApolloLink(
    ({ query, variables }) =>
      new Observable((observer) =>
        subscribeResumably(socket, { query: print(query), variables }, observer as Sink),
      ),
  );
  const http = new HttpLink({
    uri: url,
    fetch: async (input, init) =>
      fetch(input, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${await token()}` },
      }),
  });
  return new ApolloClient({
    link: ApolloLink.split(({ operationType }) => operationType === 'subscription', live, http),
    cache: new InMemoryCache(),
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

/** Calls `onEvent` with each event; the jobs in it are in Apollo's cache as well. @returns unsubscribes */
export function watchJobs(
  client: ApolloClient,
  filter: object,
  onEvent: (event: JobChange) => void,
): () => void {
  const watching = client
    .subscribe<{ jobChanges: JobChange }>({ query: JOB_CHANGES, variables: { filter } })
    .subscribe(({ data, error }) => {
      if (error !== undefined) throw error;
      if (data != null) onEvent(data.jobChanges);
    });
  return () => watching.unsubscribe();
}
