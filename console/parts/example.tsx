import { GRAPHQL_URL } from '../session/place.ts';

/**
 * How to make the first of what a page has none of yet, from a shell and from a program.
 * @param mutation a GraphQL document without single quotes
 */
export function Example({
  mutation,
  program = `await client.request(\`${mutation}\`);`,
}: {
  readonly mutation: string;
  /** Where the client has a call of its own for it. */
  readonly program?: string;
}) {
  return (
    <>
      <pre
        className="code"
        role="region"
        aria-label="From a shell"
        tabIndex={0}
      >{`curl -s ${new URL(GRAPHQL_URL, location.href).href} \\
  -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '${JSON.stringify({ query: mutation })}'`}</pre>
      <pre
        className="code"
        role="region"
        aria-label="From a program"
        tabIndex={0}
      >{`import { createMillraceClient } from '@millrace/client';
const client = createMillraceClient({ url, token });
${program}`}</pre>
    </>
  );
}
