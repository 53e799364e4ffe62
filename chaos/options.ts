import { parseArgs } from 'node:util';

export interface ChaosOptions {
  readonly jobs: number;
  /** Events, each with two triggers; beside them schedules tick each second. */
  readonly events: number;
  readonly workers: number;
  /** Jobs that one worker runs at a time. */
  readonly concurrency: number;
  /** Jobs are enqueued and faults injected during this time; then everything gets to end. */
  readonly faultSeconds: number;
  /** How long it may take from there until every job has ended. */
  readonly drainSeconds: number;
  /** Faults in all; at least one of each kind when there are as many. */
  readonly faults: number;
  readonly maxRssMb: number;
  readonly seed: number;
}

const FULL = {
  jobs: 20_000,
  events: 2_000,
  workers: 4,
  concurrency: 10,
  faultSeconds: 240,
  drainSeconds: 300,
  faults: 120,
};
const SHORT = {
  jobs: 1_200,
  events: 120,
  workers: 3,
  concurrency: 8,
  faultSeconds: 11,
  drainSeconds: 300,
  faults: 11,
};

export const USAGE = `npm run chaos -- [options]

Runs jobs, events and schedules on a Postgres of its own while it kills and freezes workers, restarts and starves the database, and then looks
whether the queue kept its promises. Exit code 1 when it did not.

  --short              ${SHORT.jobs} jobs, ${SHORT.events} events, ${SHORT.workers} workers, ${SHORT.faults} faults
                       (otherwise ${FULL.jobs}, ${FULL.events}, ${FULL.workers}, ${FULL.faults})
  --seed <n>           the same jobs and faults at the same times as another run
  --jobs <n>           how many jobs
  --events <n>         how many events
  --faults <n>         how many faults
  --fault-seconds <n>  how long they go on
  --workers <n>        how many worker processes
  --max-rss-mb <n>     what a worker may take of memory (400)
`;

/** @throws Error for an option that is none, or a value that is no whole number */
export function readOptions(argv: readonly string[]): ChaosOptions | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      short: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      seed: { type: 'string' },
      jobs: { type: 'string' },
      events: { type: 'string' },
      faults: { type: 'string' },
      workers: { type: 'string' },
      'fault-seconds': { type: 'string' },
      'max-rss-mb': { type: 'string' },
    },
  });
  if (values.help) return 'help';
  const size = values.short ? SHORT : FULL;
  return {
    ...size,
    jobs: count('jobs', values.jobs, size.jobs),
    events: count('events', values.events, size.events),
    faults: count('faults', values.faults, size.faults),
    workers: count('workers', values.workers, size.workers),
    faultSeconds: count('fault-seconds', values['fault-seconds'], size.faultSeconds),
    maxRssMb: count('max-rss-mb', values['max-rss-mb'], 400),
    seed: count('seed', values.seed, Math.floor(Math.random() * 2 ** 31)),
  };
}

function count(name: string, given: string | undefined, usual: number): number {
  if (given === undefined) return usual;
  const number = Number(given);
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(number))
    throw new Error(`--${name} is ${JSON.stringify(given)}; allowed: a whole number`);
  return number;
}
