import { Counter, Histogram } from '@prometheus-io/client';
import { DefinitionHistogram } from './definition-histogram.ts';
import type { Metrics } from './metrics.ts';
import type { RunOutcome, WorkerMetrics } from './worker-metrics.ts';

const CLAIM_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const WAIT_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 120, 600, 3600];
const RUN_BUCKETS_SECONDS = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200];

/** A worker's figures in the registry of a process; to be made once for it. */
export function createWorkerMetrics({ registry, readAt }: Metrics): WorkerMetrics {
  const registers = [registry];
  // Counted in a map of our own and handed over when somebody asks: see `DefinitionHistogram`.
  const ended = new Map<string, Map<RunOutcome, number>>();
  new Counter({
    name: 'millrace_worker_runs_total',
    help: 'Runs that have ended, by definition and outcome.',
    labelNames: ['definition', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const [definition, outcomes] of ended)
        for (const [outcome, count] of outcomes) this.inc({ definition, outcome }, count);
    },
  });
  const runSeconds = new DefinitionHistogram({
    name: 'millrace_worker_run_duration_seconds',
    help: 'From the claim of a run until its end was written, by definition.',
    buckets: RUN_BUCKETS_SECONDS,
    registry,
  });
  const claims = new Histogram({
    name: 'millrace_worker_claim_duration_seconds',
    help: 'How long a claim took, whatever it brought.',
    buckets: CLAIM_BUCKETS_SECONDS,
    registers,
  });
  const claimedJobs = new Counter({
    name: 'millrace_worker_claimed_jobs_total',
    help: 'Jobs claimed.',
    registers,
  });
  const waits = new DefinitionHistogram({
    name: 'millrace_worker_claim_latency_seconds',
    help: 'From when a job could have been claimed to its claim, by definition.',
    buckets: WAIT_BUCKETS_SECONDS,
    registry,
  });
  const renewed = new Counter({
    name: 'millrace_worker_lease_renewals_total',
    help: 'Leases renewed.',
    registers,
  });
  const lost = new Counter({
    name: 'millrace_worker_leases_lost_total',
    help: 'Leases that had ended, or gone to another worker, when they were to be renewed.',
    registers,
  });
  const lostLines = new Counter({
    name: 'millrace_worker_job_log_lines_lost_total',
    help: 'Lines that handlers wrote and that their job’s log does not have, by reason.',
    labelNames: ['reason'],
    registers,
  });
  return {
    runEnded: (definition, outcome, seconds) => {
      const outcomes = ended.get(definition) ?? new Map<RunOutcome, number>();
      ended.set(definition, outcomes);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      runSeconds.observe(definition, seconds);
    },
    claimed: (jobCount, seconds) => {
      claims.observe(seconds);
      claimedJobs.inc(jobCount);
    },
    pickedUp: (definition, seconds) => waits.observe(definition, Math.max(0, seconds)),
    leasesRenewed: (count) => renewed.inc(count),
    leasesLost: (count) => lost.inc(count),
    logLinesLost: (reason, count) => lostLines.inc({ reason }, count),
    observe: (state) => {
      readAt('millrace_worker_job_log_pending_bytes', 'Log lines of jobs that wait to be stored.', () =>
        state.pendingLogBytes(),
      );
      readAt('millrace_worker_running_jobs', 'Runs that are not settled yet.', () => state.runningCount());
      readAt('millrace_worker_slots', 'Jobs that this worker runs at a time.', () => state.slotCount());
    },
  };
}
