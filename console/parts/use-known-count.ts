import { useRef } from 'react';

/**
 * How many rows a live list has; undefined before that is known. An empty list stays one while its connection
 * is gone.
 * @param of what the list is of: with another filter nothing is known yet
 */
export function useKnownCount(count: number, isReady: boolean, of: string): number | undefined {
  const known = useRef<string | null>(null);
  if (isReady) known.current = of;
  return count > 0 || known.current === of ? count : undefined;
}
