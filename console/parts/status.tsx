import { Ban, CircleCheck, CircleX, Clock3, LoaderCircle, OctagonX, PauseCircle } from 'lucide-react';
import type { JobStatus } from '../../src/client/index.ts';

/** Every state has a word, an icon of its own form, and only then a colour. */
export const STATUSES = {
  QUEUED: { word: 'Queued', tone: 'idle', icon: Clock3 },
  RUNNING: { word: 'Running', tone: 'info', icon: LoaderCircle },
  SUCCEEDED: { word: 'Succeeded', tone: 'ok', icon: CircleCheck },
  FAILED: { word: 'Failed', tone: 'bad', icon: CircleX },
  DEAD_LETTER: { word: 'Dead letter', tone: 'bad', icon: OctagonX },
  CANCELED: { word: 'Canceled', tone: 'warn', icon: Ban },
} as const satisfies Record<JobStatus, { word: string; tone: string; icon: unknown }>;

export function StatusBadge({
  status,
  isCancelRequested = false,
}: {
  readonly status: JobStatus;
  readonly isCancelRequested?: boolean;
}) {
  const { word, tone, icon: Icon } = STATUSES[status];
  const isStopping = isCancelRequested && status === 'RUNNING';
  return (
    <span className={`badge ${isStopping ? 'warn' : tone}`}>
      {isStopping ? (
        <PauseCircle aria-hidden="true" size={13} />
      ) : (
        <Icon aria-hidden="true" size={13} className={status === 'RUNNING' ? 'spin' : undefined} />
      )}
      {isStopping ? 'Stopping' : word}
    </span>
  );
}

/** For states of other things: the same look by tone. */
export function Badge({
  tone = 'idle',
  children,
}: {
  readonly tone?: 'idle' | 'info' | 'ok' | 'bad' | 'warn';
  readonly children: React.ReactNode;
}) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
