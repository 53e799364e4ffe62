import { type Judge, runKey } from './indexed.ts';

/**
 * What handlers did agrees with what the queue says: a success was really done, in the run that counts; work
 * that was done and does not count belongs to a run whose lease was lost, and to no other; no run was begun
 * twice.
 */
export const judgeEffects: Judge = ({ jobs, jobOf, runsOf, effects }) => {
  const problems: string[] = [];
  const done = new Set<string>();
  const begun = new Set<string>();
  for (const effect of effects) {
    if (effect.kind !== 'began' && effect.kind !== 'done') continue;
    const key = runKey(effect.jobId, effect.runNo);
    const seen = effect.kind === 'began' ? begun : done;
    if (seen.has(key)) problems.push(`job ${effect.jobId} ${effect.kind} run ${effect.runNo} twice`);
    seen.add(key);
  }
  for (const effect of effects) {
    if (effect.kind !== 'done') continue;
    const job = jobOf.get(effect.jobId);
    const counts = job?.status === 'succeeded' && job.runNo === effect.runNo;
    const row = runsOf.get(effect.jobId)?.find(({ runNo }) => runNo === effect.runNo);
    if (!counts && row?.attempt !== 'lost')
      problems.push(
        `job ${effect.jobId} was done in run ${effect.runNo}, which is ${row?.attempt ?? row?.usage ?? 'not recorded'}`,
      );
  }
  for (const job of jobs) {
    if (job.status === 'succeeded' && !done.has(runKey(job.id, job.runNo)))
      problems.push(`job ${job.id} succeeded in run ${job.runNo}, in which nothing was done`);
  }
  return problems;
};
