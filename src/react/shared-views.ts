import type { MillraceClient, View } from '../client/index.ts';

interface Shared {
  readonly open: () => View<unknown>;
  readonly listeners: Set<() => void>;
  view: View<unknown>;
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
    const shared = this.#views.get(key) ?? opened(open);
    this.#views.set(key, shared);
    clearTimeout(shared.closing);
    shared.listeners.add(listener);
    return () => {
      shared.listeners.delete(listener);
      if (shared.listeners.size > 0) return;
      shared.closing = setTimeout(() => {
        this.#views.delete(key);
        shared.view.close();
      }, 0);
    };
  }

  /** Opens a view from its beginning, for all that have it open. */
  reopen(key: string): void {
    const shared = this.#views.get(key);
    if (shared === undefined) return;
    shared.view.close();
    shared.view = shared.open();
    follow(shared);
    notify(shared);
  }

  /** Undefined while nobody has it open. */
  state(key: string): unknown {
    return this.#views.get(key)?.view.state;
  }
}

function opened(open: () => View<unknown>): Shared {
  const shared: Shared = { open, listeners: new Set(), view: open(), closing: undefined };
  follow(shared);
  return shared;
}

function follow(shared: Shared): void {
  shared.view.subscribe(() => notify(shared));
}

function notify({ listeners }: Shared): void {
  for (const listener of [...listeners]) listener();
}

const ofClients = new WeakMap<MillraceClient, SharedViews>();

export function sharedViews(client: MillraceClient): SharedViews {
  const known = ofClients.get(client) ?? new SharedViews();
  ofClients.set(client, known);
  return known;
}
