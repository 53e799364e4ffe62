import { CloudUpload, X } from 'lucide-react';
import { useCallback, useEffect, useId, useState } from 'react';
import { useUpload } from '../../src/react/index.ts';
import { bytes } from '../parts/bytes.ts';
import { ErrorNote } from '../parts/notes.tsx';
import { ImportForm } from './import-form.tsx';

/**
 * Takes files, several at once. An upload that was cut goes on after a reload when the same file is given
 * again.
 */
export function UploadArea() {
  const [files, setFiles] = useState<readonly { readonly id: number; readonly file: File }[]>([]);
  const [isOver, setOver] = useState(false);
  const id = useId();
  const add = (given: FileList | null): void => {
    const added = [...(given ?? [])].map((file, index) => ({ id: Date.now() + index, file }));
    setFiles((before) => [...before, ...added]);
  };
  return (
    <section
      className={isOver ? 'upload over' : 'upload'}
      aria-label="Upload"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        add(event.dataTransfer.files);
      }}
    >
      <CloudUpload aria-hidden="true" size={24} />
      <p>
        Drop videos here, or{' '}
        <label className="link" htmlFor={id}>
          choose files
        </label>
        <input
          id={id}
          type="file"
          accept="video/*"
          multiple
          className="visually-hidden"
          onChange={({ target }) => {
            add(target.files);
            target.value = '';
          }}
        />
      </p>
      <p className="muted small">
        An upload that is cut goes on where it was, also after a reload: give the same file again.
      </p>
      <ImportForm />
      {files.map(({ id: key, file }) => (
        <Upload
          key={key}
          file={file}
          onDone={() => setFiles((before) => before.filter((each) => each.id !== key))}
        />
      ))}
    </section>
  );
}

function Upload({ file, onDone }: { readonly file: File; readonly onDone: () => void }) {
  const { upload, progress, video, isPending, error, reset } = useUpload();
  const begin = useCallback(
    () => void upload(file, { title: file.name.replace(/\.\w+$/, ''), storage: localStorage }),
    [upload, file],
  );
  useEffect(begin, [begin]);
  const [sent, total] = [progress?.sentBytes ?? 0, progress?.totalBytes ?? file.size];
  const isSent = video !== undefined && !isPending && error === null;
  return (
    <div className="upload-file">
      <p className="row">
        <strong className="grow">{file.name}</strong>
        <span className="num small muted" role="status">
          {isSent ? 'sent; its work begins' : `${bytes(sent)} of ${bytes(total)}`}
        </span>
        <button
          type="button"
          className="icon-button"
          aria-label={isSent ? `Dismiss ${file.name}` : `Stop the upload of ${file.name}`}
          onClick={() => {
            reset();
            onDone();
          }}
        >
          <X aria-hidden="true" size={16} />
        </button>
      </p>
      <progress className="wide" max={total} value={sent} aria-label={`Upload of ${file.name}`} />
      {error !== null && <ErrorNote error={error} onRetry={begin} />}
    </div>
  );
}
