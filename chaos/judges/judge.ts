import type { Facts } from '../facts.ts';
import { judgeAccounts } from './accounts.ts';
import { judgeDependencies } from './dependencies.ts';
import { judgeEffects } from './effects.ts';
import { judgeEndings } from './endings.ts';
import { indexFacts, type Judge } from './indexed.ts';
import { judgeLimits } from './limits.ts';
import { judgeMemory } from './memory.ts';
import { judgeSettlements } from './settlements.ts';
import { judgeTriggered } from './triggered.ts';

/** The promises, in the words of the report. */
const PROMISES: Readonly<Record<string, Judge>> = {
  'every job reached a final state, for a reason, and holds no lease': judgeEndings,
  'one effective settlement each, by the last run': judgeSettlements,
  'every run is accounted for': judgeAccounts,
  'no limit was exceeded at any time': judgeLimits,
  'no effect was doubled but by lost leases': judgeEffects,
  'nobody ran before the parents had ended': judgeDependencies,
  'each event made its jobs once, and each tick its one': judgeTriggered,
  'the memory of workers is bounded': judgeMemory,
};

export interface Judgement {
  readonly promise: string;
  readonly violations: readonly string[];
}

export function judge(facts: Facts): readonly Judgement[] {
  const indexed = indexFacts(facts);
  return Object.entries(PROMISES).map(([promise, look]) => ({ promise, violations: look(indexed) }));
}
