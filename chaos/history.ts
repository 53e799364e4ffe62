import type { Facts } from './facts.ts';

/** What is known of one job, line by line in the order in which it happened: for looking into a violation. */
export function historyOf(facts: Facts, jobId: string): readonly string[] {
  const job = facts.jobs.find(({ id }) => id === jobId);
  const moves = facts.moves.filter((move) => move.jobId === jobId);
  const firstUs = moves[0]?.atUs ?? 0;
  return [
    `job ${jobId}: ${JSON.stringify(job)}`,
    ...facts.edges
      .filter((edge) => edge.jobId === jobId)
      .map(({ parentId, policy }) => `waits for ${parentId} (${policy})`),
    ...moves.map(
      ({ was, became, runNo, atUs }) =>
        `${new Date(atUs / 1000).toISOString()} + ${((atUs - firstUs) / 1000).toFixed(3)} ms: run ${runNo}, ${was} → ${became}`,
    ),
    ...facts.runs
      .filter((run) => run.jobId === jobId)
      .map(({ runNo, attempt, usage }) => `run ${runNo}: attempt ${attempt}, usage ${usage}`),
    ...facts.effects.flatMap((effect) =>
      effect.kind !== 'memory' && effect.jobId === jobId
        ? [`run ${effect.runNo}: its handler in process ${effect.pid} noted ${effect.kind}`]
        : [],
    ),
  ];
}
