import { statement } from '../../statement.ts';

/**
 * Rings channels: $1 their names, $2 the payload of each. One statement, so one commit, however many rings were merged.
 * Locks: the cluster-wide lock of NOTIFY at commit, which is why it never runs inside a transaction that writes. Index: none.
 */
export const ringBell = statement(
  'ring_bell',
  'select pg_notify(ring.channel, ring.payload) from unnest($1::text[], $2::text[]) as ring (channel, payload)',
);
