const open = new Set<{ readonly what: string }>();

/**
 * Notes something that a test must close itself and that the runtime can't see: a database, a temporary
 * directory.
 *
 * @param what shown when it is left open
 * @returns call it when the thing is closed
 */
export function registerOpen(what: string): () => void {
  const entry = { what };
  open.add(entry);
  return () => open.delete(entry);
}

/** What has been noted and not closed. */
export function stillRegistered(): string[] {
  return [...open].map(({ what }) => what);
}
