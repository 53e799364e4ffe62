import type { Position } from './position.ts';
import { rewind } from './snapshot.ts';

/** Why a reader can't go on from where it stood and must start from a fresh state. */
export const RESYNC_REASONS = [
  /** Another server, or this one after a promotion or a restore: its transaction ids mean something else. */
  'otherServer',
  /** Traces of deleted jobs may be gone by now. */
  'tooOld',
  /** Reading everything afresh is cheaper. */
  'tooMany',
] as const;
export type ResyncReason = (typeof RESYNC_REASONS)[number];

export type Resume =
  | { readonly kind: 'from'; readonly position: Position }
  | { readonly kind: 'resync'; readonly reason: ResyncReason };

/**
 * Tombstones are kept for 24 hours from the start of the transaction that deleted; ten minutes of that are
 * left for one that commits late.
 */
export const POSITION_LIFE_MS = (24 * 60 - 10) * 60_000;

/**
 * Whether a reader that stood at `old` can go on at a server that now is at `now`, and from where.
 * Same life: from there. A restart in between: from further back, see `rewind`.
 */
export function planResume(old: Position, now: Position): Resume {
  const sameServer =
    old.server.systemId === now.server.systemId && old.server.timeline === now.server.timeline;
  if (!sameServer) return { kind: 'resync', reason: 'otherServer' };
  if (now.takenAtMs - old.takenAtMs > POSITION_LIFE_MS) return { kind: 'resync', reason: 'tooOld' };
  if (old.server.life === now.server.life) return { kind: 'from', position: old };
  const snapshot = rewind(old.snapshot);
  // Even so far back lies in this server's future: a copy of the files was restored without a new timeline.
  if (snapshot.xmax > now.snapshot.xmax) return { kind: 'resync', reason: 'otherServer' };
  return { kind: 'from', position: { server: now.server, snapshot, takenAtMs: old.takenAtMs } };
}
