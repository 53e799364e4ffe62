import type { Edge, Facts, JobFact, Move, RunRow } from '../facts.ts';

/** The facts by job, for judges that go through them job by job. */
export interface IndexedFacts extends Facts {
  readonly jobOf: ReadonlyMap<string, JobFact>;
  readonly movesOf: ReadonlyMap<string, readonly Move[]>;
  readonly runsOf: ReadonlyMap<string, readonly RunRow[]>;
  readonly edgesOf: ReadonlyMap<string, readonly Edge[]>;
  /** Runs whose handlers were called, as `<job id> <run number>`. */
  readonly begun: ReadonlySet<string>;
}

/** What breaks a promise, in words with the job's id. */
export type Judge = (facts: IndexedFacts) => readonly string[];

export function runKey(jobId: string, runNo: number): string {
  return `${jobId} ${runNo}`;
}

export function indexFacts(facts: Facts): IndexedFacts {
  return {
    ...facts,
    jobOf: new Map(facts.jobs.map((job) => [job.id, job])),
    movesOf: Map.groupBy(facts.moves, ({ jobId }) => jobId),
    runsOf: Map.groupBy(facts.runs, ({ jobId }) => jobId),
    edgesOf: Map.groupBy(facts.edges, ({ jobId }) => jobId),
    begun: new Set(
      facts.effects.flatMap((effect) =>
        effect.kind === 'began' ? [runKey(effect.jobId, effect.runNo)] : [],
      ),
    ),
  };
}
