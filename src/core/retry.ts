/**
 * When a failed run is tried again. Data, so that it can live on a definition's row.
 * `delaysSeconds`: the n-th retry waits the n-th entry, the last one repeats.
 * Otherwise `baseSeconds * factor ** max(0, retryNo + exponentOffset)`, at most `capSeconds`; retryNo counts
 * from 0.
 */
export interface RetryPolicy {
  readonly delaysSeconds?: readonly number[];
  readonly baseSeconds?: number;
  readonly factor?: number;
  readonly exponentOffset?: number;
  readonly capSeconds?: number;
  /** Share of the delay by which it varies each way: 0.2 means ± 20 %. 0 to 1. */
  readonly jitter?: number;
  /**
   * The next run begins when the lease of the failed one would have ended, had nobody renewed it: a message
   * that comes back after its visibility timeout. The fields above do not count then, but for `jitter`.
   */
  readonly restOfLease?: boolean;
}

/** How long the failed run had its job, for policies that go by the lease. */
export interface LeaseUse {
  readonly leaseSeconds: number;
  /** From the claim until now. */
  readonly heldSeconds: number;
}

/** The default: 1 s, 2 s, 4 s … at most 10 min, ± 20 %. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = { baseSeconds: 1, factor: 2, capSeconds: 600, jitter: 0.2 };

/**
 * Seconds to wait before the next run.
 * @param policy the definition's policy
 * @param retryNo how many retries there were before this one, from 0
 * @param random a number in [0, 1), injected so that tests and property checks are exact
 * @param lease the failed run's, for `restOfLease`; without it such a policy waits not at all
 */
export function retryDelaySeconds(
  policy: RetryPolicy,
  retryNo: number,
  random: number,
  lease: LeaseUse = { leaseSeconds: 0, heldSeconds: 0 },
): number {
  const exact =
    policy.restOfLease === true
      ? Math.max(0, lease.leaseSeconds - Math.max(0, lease.heldSeconds))
      : exactDelaySeconds(policy, Math.max(0, Math.trunc(retryNo)));
  const jitter = policy.jitter ?? 0;
  return exact * (1 + jitter * (2 * random - 1));
}

function exactDelaySeconds(policy: RetryPolicy, retryNo: number): number {
  if (policy.delaysSeconds !== undefined && policy.delaysSeconds.length > 0) {
    return policy.delaysSeconds[Math.min(retryNo, policy.delaysSeconds.length - 1)] ?? 0;
  }
  const exponent = Math.max(0, retryNo + (policy.exponentOffset ?? 0));
  const baseSeconds = policy.baseSeconds ?? 1;
  // 2 ** 1100 is Infinity, and nothing times that is no number; the cap (or a day) keeps the rest one that an
  // interval can hold.
  const raw = baseSeconds === 0 ? 0 : baseSeconds * (policy.factor ?? 2) ** exponent;
  return Math.min(raw, policy.capSeconds ?? 86_400);
}
