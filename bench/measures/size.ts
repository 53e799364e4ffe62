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

interface Place extends AsyncDisposable {
  ask(filter: object, end: 'first' | 'last'): Promise<number>;
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
    for (const [name, filter] of Object.entries(FILTERS)) {
      const taken = { small: [] as number[], large: [] as number[] };
      for (let n = 0; n <= (effort.quick ? ASKED_QUICK : ASKED); n++) {
        for (const end of ['first', 'last'] as const) {
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
    }
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
  const { stage, token } = opening.use(await openFilledStage(context, count));
  const { program, graphqlUrl } = await startServer(stage);
  opening.defer(async () => void (await program.kill()));
  const opened = opening.move();
  return {
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
