import { useEffect } from 'react';
import type { MillraceClient } from '../../src/client/index.ts';

const REST_AFTER_MS = 60_000;

/**
 * Nothing is streamed to a tab that has been hidden for a minute: nobody looks. Once it is seen again, each
 * stream goes on from its cursor. Queries rest by themselves while a tab is hidden.
 */
export function useRestWhileHidden(client: MillraceClient): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = (): void => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => client.suspend(), REST_AFTER_MS);
      else client.resume();
    };
    changed();
    document.addEventListener('visibilitychange', changed);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', changed);
    };
  }, [client]);
}
