import { type ApiClient, callApi } from '../../src/cli/call-api.ts';
import { waitFor } from '../../test/support/wait.ts';

interface Submitted {
  readonly submitLink: { readonly link: { readonly uuid: string } };
}

/**
 * Gives a demo links: two that are read, one that no page is behind. @returns the UUID of one that is done
 */
export async function fillLinks(api: ApiClient, url: string): Promise<string> {
  const ids: string[] = [];
  for (const each of [`${url}?first`, `${url}?second`, `${url}/gone`]) {
    const { submitLink } = await callApi<Submitted>(
      api,
      `mutation ($url: String!) { submitLink(input: { url: $url }) { ... on SubmitLinkPayload { link { uuid } } } }`,
      { url: each },
    );
    ids.push(submitLink.link.uuid);
  }
  const [first = ''] = ids;
  await waitFor(
    async () => {
      const { link } = await callApi<{ link: { status: string } }>(
        api,
        'query ($id: ID!) { link(id: $id) { status } }',
        { id: first },
      );
      return link.status === 'DONE';
    },
    { describe: 'a link to be done', timeoutMs: 120_000 },
  );
  return first;
}
