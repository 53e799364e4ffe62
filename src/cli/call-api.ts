/** Where our own API is and how to get in. */
export interface ApiClient {
  readonly graphqlUrl: string;
  readonly token: string;
}

/**
 * One GraphQL request to our own API, over HTTP as any client would send it.
 * @throws Error with the first GraphQL error's message, or the HTTP status
 */
export async function callApi<Data>(
  api: ApiClient,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Data> {
  const response = await fetch(api.graphqlUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      authorization: `Bearer ${api.token}`,
    },
    body: JSON.stringify({ query, variables }),
  });
  const answer = (await response.json()) as { data?: Data; errors?: readonly { message: string }[] };
  const error = answer.errors?.[0];
  if (error !== undefined) throw new Error(error.message);
  if (answer.data === undefined || answer.data === null)
    throw new Error(`The API answered ${response.status} without data`);
  return answer.data;
}
