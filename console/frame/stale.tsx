import { CloudOff, RefreshCw } from 'lucide-react';
import { MillraceError } from '../../src/client/index.ts';
import { useJobSummary } from '../../src/react/index.ts';
import { useTimes } from '../parts/time.ts';
import { useOfflineSince } from './connection.tsx';
import { useStaleReads } from './use-stale-reads.ts';

/**
 * Of when what the page shows is, while it cannot be kept current: one note for every page. It is the last
 * thing on the page, and stays at the lower edge of the window: nothing moves when it comes and goes.
 */
export function Stale() {
  const { connection, error } = useJobSummary();
  const offlineSinceMs = useOfflineSince(connection, error);
  const reads = useStaleReads();
  const times = useTimes();
  const moments = [offlineSinceMs, reads?.asOfMs].filter((each) => each != null);
  if (moments.length === 0) return null;
  return (
    <p className="note warn stale" role="status">
      <CloudOff aria-hidden="true" size={18} />
      <span className="grow">
        As of <strong className="num">{times.second(new Date(Math.min(...moments)).toISOString())}</strong>
        {offlineSinceMs === null ? inWords(reads?.error) : NO_ANSWER}
      </span>
      {reads !== null && (
        <button type="button" className="button small" onClick={reads.readAgain}>
          <RefreshCw aria-hidden="true" size={14} /> Try again
        </button>
      )}
    </p>
  );
}

const NO_ANSWER = ', the server does not answer.';

function inWords(error: unknown): string {
  if (!(error instanceof MillraceError)) return `: ${error instanceof Error ? error.message : String(error)}`;
  if (error.code === 'NETWORK') return NO_ANSWER;
  const request = error.requestId === null ? '' : `, request ${error.requestId}`;
  return `: ${error.message} (${error.code}${request})`;
}
