import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';

interface Pause {
  readonly isPaused: boolean;
  readonly setPaused: (isPaused: boolean) => void;
}

const PauseContext = createContext<Pause>({ isPaused: false, setPaused: () => undefined });

export function PauseProvider({ children }: { readonly children: ReactNode }) {
  const [isPaused, setPaused] = useState(false);
  const value = useMemo(() => ({ isPaused, setPaused }), [isPaused]);
  return <PauseContext value={value}>{children}</PauseContext>;
}

export function usePause(): Pause {
  return useContext(PauseContext);
}

/**
 * A live value that stands still while the page is paused. The stream behind it goes on, so nothing is
 * missed.
 */
export function useUnlessPaused<Value>(value: Value): Value {
  const { isPaused } = usePause();
  const kept = useRef(value);
  if (!isPaused) kept.current = value;
  return kept.current;
}
