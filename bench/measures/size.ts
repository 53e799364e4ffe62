import { type Figure, figureOf } from '../measuring/figure.ts';
import type { Measure, MeasureContext } from '../measuring/measure.ts';
import { median, quantile } from '../measuring/statistics.ts';
import { openFilledStage } from '../stage/filled.ts';
import { startServer } from '../stage/server.ts';

const LARGE = 5_000_000;
const SMALL = 10_000;
const QUICK_LARGE = 200_000;
const GOAL_P95_MS = 100;
const GOAL_RATIO = 3;
const ASKED = 40;
const ASKED_QUICK = 5;

const DAY_MS = 86_400_000;
const JOBS = `query ($filter: JobFilter, $first: Int, $last: Int) {
  jobs(filter: $filter, first: $first, last: $last) { isPartial nodes { id status definition { key } } } }`;

/** Each filter of `jobs`, those among them that match few of many. */
const FILTERS: Readonly<Record<string, object>> = {
  none: {},
  queued: { statuses: ['QUEUED'] },
  running: { statuses: ['RUNNING'] },
  succeeded: { statuses: ['SUCCEEDED'] },
  failed: { statuses: ['FAILED'] },
  'dead letter or canceled': { statuses: ['DEAD_LETTER', 'CANCELED'] },
  'queued of a definition': { statuses: ['QUEUED'], definitions: ['clip_generate'] },
  'a definition without jobs': { definitions: ['transcode'] },
  'a creator without jobs': { createdBy: 'user:nobody' },
  'a tag without jobs': { tags: ['nothing'] },
  'an error type without jobs': { errorTypes: ['Unheard'] },
  correlation: { correlationId: 'run-1' },
  subject: { subject: { type: 'order', key: '8' } },
  'a day a fortnight ago': {
    finishedAfter: new Date(Date.now() - 15 * DAY_MS),
    finishedBefore: new Date(Date.now() - 14 * DAY_MS),
  },
};

type End = 'first' | 'last';
const ENDS = ['first', 'last'] as const;

/** Asked once that many jobs of the tenant are ready. */
const READY = 50_000;
const READY_SMALL = 100;
const BESIDE_READY: Readonly<Record<string, readonly [object, readonly End[]]>> = {
  [`queued, beside ${READY} ready ones, newest first`]: [{ statuses: ['QUEUED'] }, ['first']],
  [`queued, beside ${READY} ready ones, oldest first`]: [{ statuses: ['QUEUED'] }, ['last']],
  [`queued of a definition, beside ${READY} ready ones`]: [
    { statuses: ['QUEUED'], definitions: ['clip_generate'] },
    ['first'],
  ],
};

const ADD_READY = `
insert into millrace.jobs (tenant_id, definition_id, payload)
select $1, d.ids[1 + k % cardinality(d.ids)], '{}'
from generate_series(1, $2::integer) k
cross join (select array_agg(id order by key) as ids from (select * from millrace.job_definitions order by key limit 3) f) d`;

interface Place extends AsyncDisposable {
  /** Adds ready jobs of the tenant that asks, of several definitions. */
  addReady(count: number): Promise<void>;
  ask(filter: object, end: End): Promise<number>;
}

/** What a page of each filter of `jobs` takes at five million jobs, beside the same at ten thousand. */
export const size: Measure = {
  name: 'size',
  title: 'The first page of each filter of jobs at 5,000,000 jobs, beside the same at 10,000',
  async run(context) {
    const { effort, say } = context;
    await using small = await openPlace(context, SMALL);
    await using large = await openPlace(context, effort.quick ? QUICK_LARGE : LARGE);
    const figures: Figure[] = [];
    const all: { readonly name: string; readonly p95: number; readonly ratio: number }[] = [];
    const measure = async (name: string, filter: object, ends: readonly End[]): Promise<void> => {
      const taken = { small: [] as number[], large: [] as number[] };
      for (let n = 0; n <= (effort.quick ? ASKED_QUICK : ASKED); n++) {
        for (const end of ends) {
          const [ofSmall, ofLarge] = [await small.ask(filter, end), await large.ask(filter, end)];
          if (n === 0) continue;
          taken.small.push(ofSmall);
          taken.large.push(ofLarge);
        }
      }
      const p95 = quantile(taken.large, 0.95);
      const ratio = median(taken.large) / median(taken.small);
      all.push({ name, p95, ratio });
      say(`${name}: p95 ${p95.toFixed(1)} ms, median ${ratio.toFixed(2)} × that at ${SMALL} jobs`);
      figures.push(
        figureOf({ name: `first page, ${name}`, unit: 'ms', goal: GOAL_P95_MS }, taken.large, (samples) =>
          quantile(samples, 0.95),
        ),
      );
    };
    for (const [name, filter] of Object.entries(FILTERS)) await measure(name, filter, ENDS);
    await small.addReady(READY_SMALL);
    await large.addReady(READY);
    for (const [name, [filter, ends]] of Object.entries(BESIDE_READY)) await measure(name, filter, ends);
    figures.push(
      figureOf(
        { name: 'median of each filter ÷ at 10,000 jobs, the largest of them', unit: '×', goal: GOAL_RATIO },
        all.map(({ ratio }) => ratio),
        (ratios) => Math.max(...ratios),
      ),
    );
    return figures;
  },
};

async function openPlace(context: MeasureContext, count: number): Promise<Place> {
  await using opening = new AsyncDisposableStack();
  const { stage, token, superuser, large } = opening.use(await openFilledStage(context, count));
  const { program, graphqlUrl } = await startServer(stage);
  opening.defer(async () => void (await program.kill()));
  const opened = opening.move();
  return {
    addReady: async (count) => {
      await superuser.query(ADD_READY, [large, count]);
      await superuser.query('vacuum (analyze) millrace.jobs, millrace.tenant_jobs');
    },
    ask: async (filter, end) => {
      const began = performance.now();
      const response = await fetch(graphqlUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ query: JOBS, variables: { filter, [end]: 50 } }),
      });
      const answer = (await response.json()) as { readonly errors?: readonly { readonly message: string }[] };
      if (answer.errors !== undefined) throw new Error(answer.errors[0]?.message ?? 'no reason given');
      return performance.now() - began;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
