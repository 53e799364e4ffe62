import { FAULT_KINDS } from './fault-plan.ts';
import { historyOf } from './history.ts';
import { indexFacts } from './judges/indexed.ts';
import { limitUses } from './judges/limits.ts';
import { memoryOverTimeMb, mostMemoryMb } from './judges/memory.ts';
import type { ChaosOptions } from './options.ts';
import type { ChaosResult } from './run.ts';

const SHOWN = 20;

/** What happened and what was found, as lines; the last is the verdict. */
export function reportLines(options: ChaosOptions, result: ChaosResult): readonly string[] {
  const { facts, judgements, faults, seconds, logged, fallen } = result;
  const statuses = Map.groupBy(facts.jobs, ({ status }) => status);
  const runs = facts.jobs.reduce((sum, { runNo }) => sum + runNo, 0);
  const ends = Map.groupBy(facts.runs, ({ attempt, usage }) => attempt ?? usage ?? 'not recorded');
  const violations = judgements.flatMap((judgement) => judgement.violations);
  const counted = (groups: ReadonlyMap<string, readonly unknown[]>): string =>
    [...groups].map(([name, list]) => `${list.length} ${name}`).join(', ');
  return [
    `seed ${options.seed}, ${options.workers} workers × ${options.concurrency}`,
    `faults: ${FAULT_KINDS.map((kind) => `${faults.get(kind) ?? 0} ${kind}`).join(', ')}`,
    `jobs: ${facts.jobs.length} in ${seconds.toFixed(1)} s (${(facts.jobs.length / seconds).toFixed(0)} jobs/s): ${counted(statuses)}`,
    `runs: ${runs}: ${counted(ends)}; ${facts.edges.length} dependencies`,
    `triggered: ${facts.events.length} events, ${facts.schedules.reduce((sum, { ticksMs }) => sum + ticksMs.length, 0)} ticks of ${facts.schedules.length} schedules`,
    `limits, most at a time of what is allowed: ${limitUses(indexFacts(facts))
      .map(({ name, most, allowed }) => `${name} ${most}/${allowed}`)
      .join(', ')}`,
    `memory: at most ${Math.round(mostMemoryMb(facts.effects))} MB a worker; the one that lived longest: ${memoryOverTimeMb(facts.effects).join(', then ')} MB`,
    ...logged.map((line) => `logged: ${line}`),
    ...fallen.map((line) => `worker: ${line}`),
    ...judgements.flatMap(({ promise, violations: found }) => [
      `${found.length === 0 ? 'kept  ' : 'BROKEN'} ${promise}`,
      ...found.slice(0, SHOWN).map((violation) => `         ${violation}`),
      ...(found.length > SHOWN ? [`         … and ${found.length - SHOWN} more`] : []),
    ]),
    ...jobsIn(violations).flatMap((id) => ['', ...historyOf(facts, id)]),
    violations.length === 0
      ? `verdict: all promises kept (--seed ${options.seed})`
      : `verdict: ${violations.length} violations (--seed ${options.seed})`,
  ];
}

const HISTORIES = 6;

/** The first jobs that violations name. */
function jobsIn(violations: readonly string[]): readonly string[] {
  const named = violations.flatMap((violation) => violation.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []);
  return [...new Set(named)].slice(0, HISTORIES);
}

/** True when a promise was broken, or a worker fell that nobody had pushed. */
export function hasFailed({ judgements, fallen }: ChaosResult): boolean {
  return fallen.length > 0 || judgements.some(({ violations }) => violations.length > 0);
}
