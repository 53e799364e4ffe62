import type { JobFact, RunRow } from '../facts.ts';
import { type IndexedFacts, type Judge, runKey } from './indexed.ts';

const SPENDING = new Set(['failed', 'timeout', 'lost']);

/**
 * Every run is accounted for: attempt rows + snoozes + hand-backs + runs whose handlers were never called =
 * run numbers, and the budget spent is the number of attempts that spend: one that was lost before anybody
 * knew that it had begun does not, nor one that was lost beside others.
 */
export const judgeAccounts: Judge = (facts) =>
  facts.jobs.flatMap((job) =>
    problemsOf(job, facts.runsOf.get(job.id) ?? [], facts).map((problem) => `job ${job.id} ${problem}`),
  );

function problemsOf(job: JobFact, runs: readonly RunRow[], { begun }: IndexedFacts): readonly string[] {
  const problems: string[] = [];
  const rowOf = Map.groupBy(runs, ({ runNo }) => runNo);
  let spent = 0;
  let snoozed = 0;
  for (let runNo = 1; runNo <= job.runNo; runNo++) {
    const rows = rowOf.get(runNo) ?? [];
    if (rows.length > 1) problems.push(`run ${runNo} is recorded ${rows.length} times`);
    const [row] = rows;
    if (row === undefined) {
      if (begun.has(runKey(job.id, runNo))) problems.push(`run ${runNo} was begun and left no record`);
      continue;
    }
    if (
      row.attempt !== null &&
      SPENDING.has(row.attempt) &&
      (row.attempt !== 'lost' || (row.isKnownToHaveBegun && !row.hadCompany))
    )
      spent++;
    if (row.usage === 'snoozed') snoozed++;
    // Handed back in the middle of its handler it is on record as interrupted; before that it leaves none.
    const isInterrupted = row.usage === 'handed_back' && row.attempt === 'interrupted';
    if (isInterrupted) continue;
    const isNone = row.usage === 'snoozed' || row.usage === 'handed_back';
    if (isNone !== (row.attempt === null))
      problems.push(
        `run ${runNo} was ${row.usage ?? 'not metered'} and its attempt is ${row.attempt ?? 'none'}`,
      );
    if (row.attempt !== null && row.usage !== null && row.attempt !== row.usage)
      problems.push(`run ${runNo} is ${row.attempt} as an attempt and ${row.usage} as usage`);
  }
  const beyond = runs.filter(({ runNo }) => runNo < 1 || runNo > job.runNo);
  if (beyond.length > 0) problems.push(`has records of ${beyond.length} runs that there were not`);
  if (spent !== job.attemptCount)
    problems.push(`has spent ${job.attemptCount} attempts; its rows say ${spent}`);
  if (snoozed !== job.snoozeCount)
    problems.push(`was snoozed ${job.snoozeCount} times; usage says ${snoozed}`);
  return problems;
}
