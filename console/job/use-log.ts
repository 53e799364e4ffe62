import { useCallback, useSyncExternalStore } from 'react';
import type { LogState, View } from '../../src/client/index.ts';
import { useMillrace } from '../../src/react/index.ts';

const MAX_LINES = 100_000;
const views = new Map<string, View<LogState>>();

/** A job's log, live, as many lines of it as a page holds. */
export function useLog(jobId: string): LogState | undefined {
  const client = useMillrace();
  const subscribe = useCallback(
    (listener: () => void) => {
      const view = client.viewJobLog(jobId, { maxLines: MAX_LINES });
      views.set(jobId, view);
      const stop = view.subscribe(listener);
      return () => {
        stop();
        view.close();
        if (views.get(jobId) === view) views.delete(jobId);
      };
    },
    [client, jobId],
  );
  return useSyncExternalStore(subscribe, () => views.get(jobId)?.state);
}
