import type DataLoader from 'dataloader';
import type { Reach } from '../core/reach.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import type { Loaders } from './loaders.ts';

/**
 * What a domain's loader reads with: one operation's snapshot, and whose rows. Every loader names the tenant
 * beside row security.
 */
export interface LoaderSource {
  readonly reads: ReadTransaction;
  readonly tenantId: string;
  /** What an access token is limited to: what is out of reach is as if it were not there. */
  readonly reach: Reach | undefined;
  /** The engine's own, of the same snapshot. */
  readonly loaders: Loaders;
}

/**
 * A loader of a domain. Made once an operation, at its first use; the definition itself is the key that it is
 * found by.
 */
export interface LoaderDefinition<Key, Value> {
  create(source: LoaderSource): DataLoader<Key, Value>;
}

/** Declares a loader: what many resolvers ask for one by one becomes one statement. */
export function defineLoader<Key, Value>(
  create: (source: LoaderSource) => DataLoader<Key, Value>,
): LoaderDefinition<Key, Value> {
  return Object.freeze({ create });
}
