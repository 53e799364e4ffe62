import { Pause, Play, Wifi, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { MillraceError, WatchState } from '../../src/client/index.ts';
import { useJobSummary } from '../../src/react/index.ts';
import { useTimes } from '../parts/time.ts';
import { usePause } from './pause.tsx';

/** How the connection stands, in words, and the switch that holds the page still. */
export function Connection() {
  const { connection, error } = useJobSummary();
  const { isPaused, setPaused } = usePause();
  const since = useOfflineSince(connection, error);
  const times = useTimes();
  const isOff = since !== null;
  // A key for other things than jobs: there is nothing to be current with.
  const isForbidden = error?.code === 'FORBIDDEN';
  const words = isOff
    ? `Offline since ${times.second(new Date(since).toISOString()).slice(0, 5)}`
    : connection === 'live'
      ? isPaused
        ? 'Paused'
        : 'Live'
      : isForbidden
        ? 'Connected'
        : 'Catching up';
  const tone = isOff ? 'bad' : connection === 'live' && !isPaused ? 'ok' : isForbidden ? 'idle' : 'warn';
  const Icon = isOff ? WifiOff : Wifi;
  return (
    <div className="connection">
      <output className={`connection-words ${tone}`} aria-live="polite">
        <Icon aria-hidden="true" size={15} /> {words}
      </output>
      <button
        type="button"
        className="icon-button"
        aria-label={isPaused ? 'Go on with live updates' : 'Pause live updates'}
        title={isPaused ? 'Go on with live updates' : 'Pause live updates'}
        onClick={() => setPaused(!isPaused)}
      >
        {isPaused ? <Play aria-hidden="true" size={16} /> : <Pause aria-hidden="true" size={16} />}
      </button>
    </div>
  );
}

/**
 * Since when there is no connection, milliseconds since 1970; null while there is one, or none was there
 * before.
 */
export function useOfflineSince(state: WatchState, error: MillraceError | null): number | null {
  const isOff = (state === 'waiting' || state === 'ended') && error?.code !== 'FORBIDDEN';
  const [since, setSince] = useState<number | null>(null);
  useEffect(() => setSince(isOff ? Date.now() : null), [isOff]);
  return isOff ? since : null;
}
