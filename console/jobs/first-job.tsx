import { Link } from '@tanstack/react-router';
import { Example } from '../parts/example.tsx';
import { Empty } from '../parts/notes.tsx';

/** What to do when there is no job yet, or none lately. */
export function FirstJob({ title = 'No jobs yet' }: { readonly title?: string }) {
  return (
    <Empty title={title}>
      <p>
        Enqueue one from{' '}
        <Link to="/definitions" search={{}}>
          a definition’s form
        </Link>
        , or from anywhere:
      </p>
      <Example
        mutation={`mutation { enqueueJob(input: { definition: "echo", payload: { message: "hello" } }) { __typename } }`}
        program={`await client.enqueue({ definition: 'echo', payload: { message: 'hello' } });`}
      />
    </Empty>
  );
}
