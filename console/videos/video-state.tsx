import { CircleCheck, CircleX, LoaderCircle, Upload } from 'lucide-react';
import type { VideoStatus } from '../../src/client/index.ts';
import { StateBadge } from '../parts/status.tsx';

export const VIDEO_STATES = {
  AWAITING_UPLOAD: { word: 'Waits for its file', tone: 'idle', icon: Upload },
  UPLOADED: { word: 'Uploaded', tone: 'info', icon: LoaderCircle },
  PROCESSING: { word: 'Processing', tone: 'info', icon: LoaderCircle },
  TRANSCODED: { word: 'Reading texts', tone: 'info', icon: LoaderCircle },
  READY: { word: 'Ready', tone: 'ok', icon: CircleCheck },
  FAILED: { word: 'Failed', tone: 'bad', icon: CircleX },
} as const satisfies Record<VideoStatus, unknown>;

export function VideoState({ status }: { readonly status: VideoStatus }) {
  return <StateBadge {...VIDEO_STATES[status]} />;
}
