import { Link2, Trash2 } from 'lucide-react';
import type { Clip } from '../../src/client/index.ts';
import { useClips, useMillrace } from '../../src/react/index.ts';
import { DeleteClip } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { AskButton } from '../parts/ask-button.tsx';
import { copyText } from '../parts/copy.ts';
import { Badge } from '../parts/status.tsx';
import { At } from '../parts/when.tsx';
import { useMay } from '../session/viewer.ts';
import { clock } from '../videos/clock.ts';

const TONES = { QUEUED: 'idle', RUNNING: 'info', READY: 'ok', FAILED: 'bad', EXPIRED: 'warn' } as const;

/** What clips are pieces of. */
export type ClipSource = { readonly videoId: string } | { readonly callId: string };

/** The clips of a video or a call: how far they are, and once they are there, to play and to share. */
export function ClipList({ of }: { readonly of: ClipSource }) {
  const { clips } = useUnlessPaused(useClips(of));
  if (clips.length === 0) return null;
  return (
    <section className="card" aria-labelledby="clips">
      <header className="card-head">
        <h2 id="clips">Clips</h2>
        <span className="muted small num">{clips.length}</span>
      </header>
      <ul className="clips">
        {clips.map((clip) => (
          <ClipRow key={clip.id} clip={clip} isSound={'callId' in of} />
        ))}
      </ul>
    </section>
  );
}

function ClipRow({ clip, isSound }: { readonly clip: Clip; readonly isSound: boolean }) {
  const client = useMillrace();
  const mayWrite = useMay('VIDEOS_WRITE');
  const { status, url, urlExpiresAt, error, progress } = clip;
  const [from, to] = [clip.startMs ?? clip.requestedStartMs, clip.endMs ?? clip.requestedEndMs];
  return (
    <li>
      <p className="row">
        <strong className="num">
          {clock(from, true)} – {clock(to, true)}
        </strong>
        <Badge tone={TONES[status]}>{status.toLowerCase()}</Badge>
        <span className="row row-end grow">
          {url !== null && (
            <button type="button" className="button small" onClick={() => void copyText(url)}>
              <Link2 aria-hidden="true" size={14} /> Copy the link
            </button>
          )}
          {mayWrite && (
            <AskButton
              label={`Delete the clip from ${clock(from, true)}`}
              className="icon-button"
              face={<Trash2 aria-hidden="true" size={15} />}
              title="Delete this clip?"
              verb="Delete the clip"
              act={async () => done((await run(client, DeleteClip, { input: { id: clip.id } })).deleteClip)}
              says="The clip is deleted"
            >
              <p>Its file goes for good, and its link leads nowhere any more.</p>
            </AskButton>
          )}
        </span>
      </p>
      {(status === 'RUNNING' || status === 'QUEUED') && (
        <progress
          className="wide"
          max={100}
          value={progress?.percent ?? 0}
          aria-label="Progress of the clip"
        />
      )}
      {error !== null && <p className="field-problem">{error.message}</p>}
      {url !== null && (
        <>
          {isSound ? (
            // biome-ignore lint/a11y/useMediaCaption: the transcript stands beside it
            <audio className="clip-sound" src={url} controls preload="metadata" aria-label="The clip" />
          ) : (
            // biome-ignore lint/a11y/useMediaCaption: a clip has no captions of its own
            <video
              className="clip-player"
              src={url}
              controls
              preload="metadata"
              playsInline
              aria-label="The clip"
            />
          )}
          <p className="muted small">
            The link is good until <At at={urlExpiresAt} />.
          </p>
        </>
      )}
    </li>
  );
}
