import { CloudUpload } from 'lucide-react';
import { useId, useState } from 'react';
import { MillraceError } from '../../src/client/index.ts';
import { useMillrace } from '../../src/react/index.ts';
import { CompleteCallUpload, SubmitCall } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { ErrorNote } from '../parts/notes.tsx';

/** Takes a recording and who speaks in it. */
export function CallUpload() {
  const client = useMillrace();
  const id = useId();
  const [speakers, setSpeakers] = useState('');
  const submit = useAct(
    async (file: File) => {
      const names = speakers
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '');
      const recording = { upload: { fileName: file.name, sizeBytes: String(file.size) } };
      const { submitCall } = await run(client, SubmitCall, { input: { recording, speakers: names } });
      const { call, upload } = done(submitCall);
      if (call === null || upload === null) return;
      const headers = Object.fromEntries(upload.headers.map(({ name, value }) => [name, value]));
      const put = await fetch(upload.url, { method: upload.method, headers, body: file });
      if (!put.ok) throw new MillraceError('UPLOAD_FAILED', `The upload was answered with ${put.status}`);
      const completed = await run(client, CompleteCallUpload, { input: { callId: call.uuid } });
      done(completed.completeCallUpload);
    },
    { says: 'The recording is uploaded; its work begins' },
  );
  return (
    <section className="upload" aria-label="Submit a recording">
      <CloudUpload aria-hidden="true" size={24} />
      <p>
        <label className="link" htmlFor={id}>
          Choose a recording
        </label>
        : sound, or a video with sound.
        <input
          id={id}
          type="file"
          accept="audio/*,video/*"
          className="visually-hidden"
          disabled={submit.isPending}
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file !== undefined) submit.mutate(file);
            target.value = '';
          }}
        />
      </p>
      <label className="field upload-speakers">
        Who speaks, in the order of the channels
        <input value={speakers} placeholder="Ann, Bob" onChange={({ target }) => setSpeakers(target.value)} />
      </label>
      <p className="muted small" role="status">
        {submit.isPending ? 'It goes up …' : ''}
      </p>
      {submit.error !== null && <ErrorNote error={submit.error} />}
    </section>
  );
}
