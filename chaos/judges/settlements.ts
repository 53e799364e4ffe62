import { isFinal } from '../../src/core/states.ts';
import type { JobFact, Move } from '../facts.ts';
import type { Judge } from './indexed.ts';

/**
 * Each run is claimed once and ended once; each job is moved to its end once, by its last run, and then left
 * alone.
 */
export const judgeSettlements: Judge = ({ jobs, movesOf }) =>
  jobs.flatMap((job) =>
    problemsOf(job, movesOf.get(job.id) ?? []).map((problem) => `job ${job.id} ${problem}`),
  );

function problemsOf(job: JobFact, moves: readonly Move[]): readonly string[] {
  const changedLater = moves.filter(({ was, became }) => was === became);
  const claims = moves.filter(({ became, was }) => became === 'running' && was !== became);
  const ends = moves.filter(({ was, became }) => was === 'running' && was !== became);
  const finals = moves.filter(({ was, became }) => was !== became && isFinal(became));
  const problems: string[] = [];
  if (changedLater.length > 0)
    problems.push(`was changed ${changedLater.length} times after it had ended as ${changedLater[0]?.was}`);
  const expected = Array.from({ length: job.runNo }, (_, index) => index + 1).join();
  for (const [what, list] of [
    ['claimed', claims],
    ['ended', ends],
  ] as const) {
    const runNos = list.map(({ runNo }) => runNo).join();
    if (runNos !== expected)
      problems.push(`has ${job.runNo} runs; ${what}, in this order: ${runNos || 'none'}`);
  }
  if (finals.length !== 1) problems.push(`was settled ${finals.length} times`);
  else if (finals[0]?.runNo !== job.runNo || finals[0].became !== job.status)
    problems.push(
      `is ${job.status} in run ${job.runNo}, but was settled as ${finals[0]?.became} in run ${finals[0]?.runNo}`,
    );
  return problems;
}
