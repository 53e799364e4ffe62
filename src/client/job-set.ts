import type { Job } from './operations.gen.ts';
import type { JobEvent } from './watch-jobs.ts';

/** The jobs that the events of a watch leave, by global id. Knows no connection. */
export class JobSet {
  readonly #maxJobs: number;
  #jobs = new Map<string, Job>();
  /** A fresh state that is still coming; it takes the place of what is shown when it is complete. */
  #next: Map<string, Job> | null = null;
  #isReady = false;
  #isComplete = true;

  /** @param maxJobs more are not kept: finished ones go first, the oldest before others */
  constructor(maxJobs: number) {
    this.#maxJobs = maxJobs;
  }

  /** Whether the initial state is there, and whatever was missed has come. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** False when there are jobs that match and are not here: the initial state was cut off, or there are more than are kept. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Newest first. */
  jobs(): readonly Job[] {
    return [...this.#jobs.values()].sort((a, b) => (a.uuid < b.uuid ? 1 : -1));
  }

  /** It is not known any more whether everything has come. */
  interrupted(): void {
    this.#isReady = false;
  }

  apply(event: JobEvent): void {
    switch (event.__typename) {
      case 'JobUpdated':
        if (event.job !== null) this.#put(this.#next ?? this.#jobs, event.job);
        return;
      case 'JobLeft':
      case 'JobRemoved':
        (this.#next ?? this.#jobs).delete(event.jobId);
        return;
      case 'ResyncRequired':
        this.#next = new Map();
        this.#isReady = false;
        return;
      case 'FeedReady':
        this.#jobs = this.#next ?? this.#jobs;
        this.#next = null;
        this.#isReady = true;
        this.#isComplete = event.isComplete;
        return;
      case 'FeedCheckpoint':
        this.#isReady = true;
    }
  }

  #put(jobs: Map<string, Job>, job: Job): void {
    const known = jobs.get(job.id);
    // Only after a resume: what comes twice may come as it was.
    if (known !== undefined && BigInt(known.version) > BigInt(job.version)) return;
    jobs.set(job.id, job);
    if (jobs.size > this.#maxJobs * 1.1) this.#prune(jobs);
  }

  #prune(jobs: Map<string, Job>): void {
    const rank = ({ isFinal, uuid }: Job): string => `${isFinal ? 0 : 1}${uuid}`;
    const oldestFirst = [...jobs.values()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
    for (const { id } of oldestFirst.slice(0, jobs.size - this.#maxJobs)) jobs.delete(id);
    this.#isComplete = false;
  }
}
