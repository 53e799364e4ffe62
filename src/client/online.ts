interface Events {
  addEventListener?(type: string, listener: () => void): void;
  removeEventListener?(type: string, listener: () => void): void;
}

/**
 * Calls `listener` when a browser says that it has a network again; elsewhere never. @returns stops listening
 */
export function onOnline(listener: () => void): () => void {
  const events = globalThis as Events;
  events.addEventListener?.('online', listener);
  return () => events.removeEventListener?.('online', listener);
}
