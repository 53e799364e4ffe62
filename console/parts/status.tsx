import {
  Ban,
  CircleCheck,
  CircleX,
  Clock3,
  LoaderCircle,
  type LucideIcon,
  OctagonX,
  PauseCircle,
} from 'lucide-react';
import type { JobStatus } from '../../src/client/index.ts';

type Tone = 'idle' | 'info' | 'ok' | 'bad' | 'warn';

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
  const isStopping = isCancelRequested && status === 'RUNNING';
  return <StateBadge {...(isStopping ? STOPPING : STATUSES[status])} />;
}

const STOPPING = { word: 'Stopping', tone: 'warn', icon: PauseCircle } as const;

/** The same of other things: an icon that turns means that somebody works on it. */
export function StateBadge({
  word,
  tone,
  icon: Icon,
}: {
  readonly word: string;
  readonly tone: Tone;
  readonly icon: LucideIcon;
}) {
  return (
    <span className={`badge ${tone}`}>
      <Icon aria-hidden="true" size={13} className={Icon === LoaderCircle ? 'spin' : undefined} />
      {word}
    </span>
  );
}

/** For states of other things: the same look by tone. */
export function Badge({
  tone = 'idle',
  children,
}: {
  readonly tone?: Tone;
  readonly children: React.ReactNode;
}) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
