import type { MillraceClient, View } from '../client/index.ts';

interface Shared {
  readonly view: View<unknown>;
  userCount: number;
  closing: ReturnType<typeof setTimeout> | undefined;
}

/**
 * The views that the components of a page have open, one for all that ask for the same. The first subscriber
 * opens it and the last one closes it, a moment later: React leaves and comes back at once in strict mode,
 * and when a component moves.
 */
export class SharedViews {
  readonly #views = new Map<string, Shared>();

  subscribe(key: string, open: () => View<unknown>, listener: () => void): () => void {
    const shared = this.#views.get(key) ?? { view: open(), userCount: 0, closing: undefined };
    this.#views.set(key, shared);
    clearTimeout(shared.closing);
    shared.userCount++;
    const stop = shared.view.subscribe(listener);
    return () => {
      stop();
      if (--shared.userCount > 0) return;
      shared.closing = setTimeout(() => {
        this.#views.delete(key);
        shared.view.close();
      }, 0);
    };
  }

  /** Undefined while nobody has it open. */
  state(key: string): unknown {
    return this.#views.get(key)?.view.state;
  }
}

const ofClients = new WeakMap<MillraceClient, SharedViews>();

export function sharedViews(client: MillraceClient): SharedViews {
  const known = ofClients.get(client) ?? new SharedViews();
  ofClients.set(client, known);
  return known;
}
