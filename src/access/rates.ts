import type { Config } from '../config/config.ts';
import { SYSTEM_TENANT_ID } from '../core/ids.ts';
import { RateLimit } from '../core/rate-limit.ts';
import type { Identity } from '../identity/identity.ts';

export type RateSettings = Pick<
  Config,
  | 'callerCostPerSecond'
  | 'tenantCostPerSecond'
  | 'callerSubscribesPerSecond'
  | 'tenantSubscribesPerSecond'
  | 'callerConnectsPerSecond'
  | 'tenantConnectsPerSecond'
  | 'rateBurstSeconds'
>;

/**
 * What is counted: the cost of queries and mutations, subscriptions that begin, sockets that are opened.
 * Neither takes from another.
 */
export type Counted = 'cost' | 'subscribes' | 'connects';

const TOO_MUCH: Readonly<Record<Counted, string>> = {
  cost: 'Too much cost of operations',
  subscribes: 'Too many new subscriptions',
  connects: 'Too many new sockets',
};

/** Why something is too much for now. */
export interface RateExceeded {
  readonly message: string;
  readonly facts: {
    /** What may be taken at once after a rest. */
    readonly limit: number;
    readonly perSecond: number;
    readonly scope: 'caller' | 'tenant';
    readonly counted: Counted;
    readonly actual: number;
    readonly retryAfterMs: number;
  };
}

/** What may still be asked. All null where nothing is counted. */
export interface CostLeft {
  readonly remaining: number | null;
  /** What may be asked at once after a rest. */
  readonly limit: number | null;
  /** When all of it is there again, if nothing more is asked. */
  readonly resetAt: Date | null;
}

interface Bucket {
  readonly scope: 'caller' | 'tenant';
  readonly counted: Counted;
  readonly limit: RateLimit;
}

/**
 * How much one caller (an API key, or a token's person) and one tenant may ask of this process. Several
 * processes each have their own count: behind a balancer the whole is as many times as much.
 */
export class Rates {
  readonly #buckets: readonly Bucket[];

  constructor(settings: RateSettings, now?: () => number) {
    const bucket = (scope: Bucket['scope'], counted: Counted, perSecond: number): Bucket[] =>
      perSecond === 0
        ? []
        : [
            {
              scope,
              counted,
              limit: new RateLimit({ perSecond, burst: perSecond * settings.rateBurstSeconds }, now),
            },
          ];
    this.#buckets = [
      ...bucket('caller', 'cost', settings.callerCostPerSecond),
      ...bucket('tenant', 'cost', settings.tenantCostPerSecond),
      ...bucket('caller', 'subscribes', settings.callerSubscribesPerSecond),
      ...bucket('tenant', 'subscribes', settings.tenantSubscribesPerSecond),
      ...bucket('caller', 'connects', settings.callerConnectsPerSecond),
      ...bucket('tenant', 'connects', settings.tenantConnectsPerSecond),
    ];
  }

  /** Takes what an operation costs where all that count it have it left; nothing otherwise. */
  take(identity: Identity, counted: Counted, amount: number): RateExceeded | null {
    const refused = this.refusal(identity, counted, amount);
    if (refused === null) this.charge(identity, counted, amount);
    return refused;
  }

  /** Takes it in any case: for work that has been done already. */
  charge(identity: Identity, counted: Counted, amount: number): void {
    for (const bucket of this.#buckets)
      if (bucket.counted === counted) bucket.limit.take(nameOf(bucket, identity), amount);
  }

  /** What the caller may still ask: by their own count or their tenant's, whichever has less. */
  costLeft(identity: Identity): CostLeft {
    let least: CostLeft = { remaining: null, limit: null, resetAt: null };
    for (const bucket of this.#buckets) {
      if (bucket.counted !== 'cost') continue;
      const { remaining, fullInMs } = bucket.limit.left(nameOf(bucket, identity));
      if (least.remaining !== null && least.remaining <= remaining) continue;
      least = { remaining, limit: bucket.limit.rate.burst, resetAt: new Date(Date.now() + fullInMs) };
    }
    return least;
  }

  /** Why it would not be there; takes nothing. */
  refusal(identity: Identity, counted: Counted, amount: number): RateExceeded | null {
    for (const bucket of this.#buckets) {
      const refused =
        bucket.counted === counted ? bucket.limit.refusal(nameOf(bucket, identity), amount) : null;
      if (refused === null) continue;
      const { scope } = bucket;
      const { burst, perSecond } = bucket.limit.rate;
      return {
        message: `${TOO_MUCH[counted]} of this ${scope}: ${refused.actual}; allowed: ${burst} at once, ${perSecond} a second. Try again in ${refused.retryAfterMs} ms.`,
        facts: { limit: burst, perSecond, scope, counted, ...refused },
      };
    }
    return null;
  }
}

/** The caller's own tenant: what a super admin does in another tenant is not charged to that tenant. */
function nameOf({ scope }: Bucket, { actor, credential }: Identity): string {
  const tenant = credential.tenantId ?? SYSTEM_TENANT_ID;
  return scope === 'tenant' ? tenant : `${tenant} ${actor.name}`;
}
