import { Link } from '@tanstack/react-router';
import { Empty } from '../parts/notes.tsx';
import { GRAPHQL_URL } from '../session/place.ts';

/** What to do when there is no job yet. */
export function FirstJob() {
  return (
    <Empty title="No jobs yet">
      <p>
        Enqueue one from{' '}
        <Link to="/definitions" search={{}}>
          a definition’s form
        </Link>
        , or from anywhere:
      </p>
      <pre className="code">{`curl -s ${new URL(GRAPHQL_URL, location.href).href} \\
  -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"query":"mutation { enqueueJob(input: { definition: \\"echo\\", payload: { message: \\"hello\\" } }) { __typename } }"}'`}</pre>
      <pre className="code">{`import { createMillraceClient } from '@millrace/client';
const client = createMillraceClient({ url, token });
await client.enqueue({ definition: 'echo', payload: { message: 'hello' } });`}</pre>
    </Empty>
  );
}
