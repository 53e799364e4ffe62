import { CircleCheck, CircleX, LoaderCircle, Upload } from 'lucide-react';
import type { CallStatus } from '../../src/client/index.ts';
import { StateBadge } from '../parts/status.tsx';

const STATES = {
  AWAITING_UPLOAD: { word: 'Waits for its file', tone: 'idle', icon: Upload },
  QUEUED: { word: 'Taking out the sound', tone: 'info', icon: LoaderCircle },
  TRANSCRIBING: { word: 'Transcribing', tone: 'info', icon: LoaderCircle },
  ANALYZING: { word: 'Analysing', tone: 'info', icon: LoaderCircle },
  READY: { word: 'Ready', tone: 'ok', icon: CircleCheck },
  FAILED: { word: 'Failed', tone: 'bad', icon: CircleX },
} as const satisfies Record<CallStatus, unknown>;

export function CallState({ status }: { readonly status: CallStatus }) {
  return <StateBadge {...STATES[status]} />;
}
