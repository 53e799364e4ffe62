import { oneOf, type Random, whole } from './random.ts';

export type Fault =
  /** SIGKILL of a worker. */
  | { readonly kind: 'kill'; readonly worker: number }
  /** SIGSTOP of a worker, SIGCONT later: its leases end while its handlers are in the middle. */
  | { readonly kind: 'freeze'; readonly worker: number; readonly ms: number }
  /** SIGTERM of a worker: what does not end at once is handed back. */
  | { readonly kind: 'replace'; readonly worker: number }
  /** An `immediate` stop of Postgres, which recovers from its log. */
  | { readonly kind: 'restart' }
  /** Backends of ours are terminated, chosen by these shares of their list. */
  | { readonly kind: 'terminate'; readonly shares: readonly number[] }
  /** Every connection that the server has left is taken for a while. */
  | { readonly kind: 'exhaust'; readonly ms: number };

export type FaultKind = Fault['kind'];
export const FAULT_KINDS: readonly FaultKind[] = [
  'kill',
  'freeze',
  'replace',
  'restart',
  'terminate',
  'exhaust',
];

/** A restart and an exhaustion hold everything up, so there are fewer of them. */
const MIX: readonly FaultKind[] = [
  'kill',
  'kill',
  'kill',
  'freeze',
  'freeze',
  'replace',
  'restart',
  'terminate',
  'terminate',
  'exhaust',
];

export interface PlannedFault {
  readonly atMs: number;
  readonly fault: Fault;
}

/** The faults of one seed, by their time; each kind at least once if there are that many. */
export function planFaults(
  count: number,
  overMs: number,
  workers: number,
  random: Random,
): readonly PlannedFault[] {
  const kinds = Array.from({ length: count }, (_, index) => FAULT_KINDS[index] ?? oneOf(random, MIX));
  const order = kinds.map((kind) => ({ kind, rank: random() })).sort((a, b) => a.rank - b.rank);
  return order.map(({ kind }, index) => ({
    // The first jobs are under way by then, and the last fault leaves some behind.
    atMs: Math.round((overMs * (index + 0.5 + random() * 0.5)) / count),
    fault: makeFault(kind, workers, random),
  }));
}

function makeFault(kind: FaultKind, workers: number, random: Random): Fault {
  const worker = whole(random, 0, workers - 1);
  switch (kind) {
    case 'kill':
    case 'replace':
      return { kind, worker };
    case 'freeze':
      return { kind, worker, ms: whole(random, 1_000, 6_000) };
    case 'restart':
      return { kind };
    case 'terminate':
      return { kind, shares: Array.from({ length: whole(random, 1, 4) }, () => random()) };
    case 'exhaust':
      return { kind, ms: whole(random, 1_000, 3_000) };
  }
}
