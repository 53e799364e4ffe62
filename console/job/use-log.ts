import { useCallback, useRef, useSyncExternalStore } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { type ShownLog, TailFirstLog } from './tail-first-log.ts';

const MAX_LINES = 100_000;

/** A job's log, live, as many lines of it as a page holds; its end first. */
export function useLog(jobId: string): ShownLog | undefined {
  const client = useMillrace();
  const log = useRef<TailFirstLog | null>(null);
  const subscribe = useCallback(
    (listener: () => void) => {
      const opened = new TailFirstLog(client, jobId, MAX_LINES);
      log.current = opened;
      const stop = opened.subscribe(listener);
      return () => {
        stop();
        opened.close();
        if (log.current === opened) log.current = null;
      };
    },
    [client, jobId],
  );
  return useSyncExternalStore(subscribe, () => log.current?.state);
}
