import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { useAct } from '../api/use-act.ts';
import { ErrorNote } from '../parts/notes.tsx';

/** Takes the address of a file, which the server fetches by itself: the page may be closed meanwhile. */
export function ImportForm() {
  const client = useMillrace();
  const [url, setUrl] = useState('');
  const add = useAct(async () => client.importVideo({ url: url.trim() }), {
    says: 'The video is being fetched',
    onDone: () => setUrl(''),
  });
  return (
    <form
      className="import"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(undefined);
      }}
    >
      <label className="grow">
        <span className="visually-hidden">Address of a video</span>
        <input
          type="url"
          value={url}
          placeholder="or give its address: https://example.com/talk.mp4"
          required
          onChange={({ target }) => setUrl(target.value)}
        />
      </label>
      <button type="submit" className="button" disabled={add.isPending}>
        <Link2 aria-hidden="true" size={15} /> Import
      </button>
      {add.error !== null && <ErrorNote error={add.error} />}
    </form>
  );
}
