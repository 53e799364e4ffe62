import { Download, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import type { JobFilesResult } from '../api/operations.gen.ts';
import { bytes } from '../parts/bytes.ts';
import { Player } from '../videos/player.tsx';

export type MadeFile = NonNullable<JobFilesResult['job']>['artifacts']['nodes'][number];

const STREAM = 'application/vnd.apple.mpegurl';

/** A picture that opens in full. */
export function Picture({ file }: { readonly file: MadeFile }) {
  const { name, label, url, sizeBytes } = file;
  if (url === null) return null;
  return (
    <li>
      <a href={url} target="_blank" rel="noreferrer">
        <img src={url} alt={`${label} ${name}`} loading="lazy" />
        <span className="picture-name small">{name}</span>
      </a>
      <span className="muted small num">{bytes(Number(sizeBytes))}</span>
    </li>
  );
}

/** A file with what can be done with it: played, looked at, saved. */
export function FileRow({ file }: { readonly file: MadeFile }) {
  const [isOpen, setOpen] = useState(false);
  const { name, label, contentType, sizeBytes, url } = file;
  const plays = url !== null && (contentType === STREAM || /^(video|audio)\//.test(contentType));
  return (
    <li>
      <p className="row">
        <span className="grow">
          <span className="file-name">{name}</span>
          <span className="muted small">
            {' '}
            {contentType} · <span className="num">{bytes(Number(sizeBytes))}</span>
          </span>
        </span>
        {plays && !isOpen && (
          <button type="button" className="button small" onClick={() => setOpen(true)}>
            <Play aria-hidden="true" size={14} /> Play
          </button>
        )}
        {url === null ? (
          <span className="muted small">Your key does not open it</span>
        ) : (
          <a
            className="button small"
            href={url}
            download={name}
            target="_blank"
            rel="noreferrer"
            aria-label={`Download ${name}`}
          >
            <Download aria-hidden="true" size={14} /> Download
          </a>
        )}
      </p>
      {isOpen && url !== null && <Playing url={url} contentType={contentType} title={`${label} ${name}`} />}
    </li>
  );
}

function Playing({
  url,
  contentType,
  title,
}: {
  readonly url: string;
  readonly contentType: string;
  readonly title: string;
}) {
  const place = useRef<HTMLVideoElement | null>(null);
  if (contentType === STREAM)
    return (
      <Player
        playlist={url}
        poster={null}
        title={title}
        startSeconds={undefined}
        textTrack={undefined}
        onTime={() => undefined}
        place={place}
      />
    );
  if (contentType.startsWith('audio/'))
    // biome-ignore lint/a11y/useMediaCaption: a file as it was made has no captions
    return <audio className="clip-sound" src={url} controls preload="metadata" aria-label={title} />;
  return (
    // biome-ignore lint/a11y/useMediaCaption: a file as it was made has no captions
    <video className="player" src={url} controls preload="metadata" playsInline aria-label={title} />
  );
}
