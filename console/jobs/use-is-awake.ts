import { useEffect, useState } from 'react';

const SLEEP_MS = 60_000;

/** False once the tab has been hidden for a minute: nobody looks, so nothing is streamed. */
export function useIsAwake(): boolean {
  const [isAwake, setAwake] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = (): void => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setAwake(false), SLEEP_MS);
      else setAwake(true);
    };
    document.addEventListener('visibilitychange', changed);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', changed);
    };
  }, []);
  return isAwake;
}
