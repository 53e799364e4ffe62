import { useId, useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { SubmitLink } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { ErrorNote } from '../parts/notes.tsx';

/** Submits a link. */
export function SubmitForm() {
  const client = useMillrace();
  const [url, setUrl] = useState('');
  const id = useId();
  const act = useAct(
    async () => done((await run(client, SubmitLink, { input: { url: url.trim() } })).submitLink),
    { says: 'The link is submitted', onDone: () => setUrl('') },
  );
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate(undefined);
      }}
    >
      <div className="row">
        <label className="visually-hidden" htmlFor={id}>
          Address of a page or a video
        </label>
        <input
          id={id}
          className="grow"
          type="url"
          required
          placeholder="https://…"
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
        <button type="submit" className="button primary" disabled={act.isPending}>
          Submit
        </button>
      </div>
      {act.error !== null && <ErrorNote error={act.error} />}
    </form>
  );
}
