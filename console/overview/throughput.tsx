import type { StatisticsResult } from '../api/operations.gen.ts';
import { useTimes } from '../parts/time.ts';

type Intervals = NonNullable<StatisticsResult['jobStatistics']>['intervals'];

const HEIGHT = 56;
const STEP = 10;

/**
 * How many jobs ended in each part of the window, those that failed in front. The figures beside it say the
 * same.
 */
export function Throughput({ intervals }: { readonly intervals: Intervals | undefined }) {
  const times = useTimes();
  const most = Math.max(1, ...(intervals?.map(({ endedCount }) => endedCount) ?? []));
  const all = intervals?.reduce((sum, { endedCount }) => sum + endedCount, 0) ?? 0;
  const busiest = intervals?.find(({ endedCount }) => endedCount === most);
  const height = (count: number): number => (count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT));
  return (
    <section className="card" aria-labelledby="throughput">
      <header className="card-head">
        <h2 id="throughput">Jobs that ended</h2>
        <span className="muted small num">
          {intervals === undefined
            ? '…'
            : busiest === undefined || all === 0
              ? 'none in this window'
              : `${all.toLocaleString('en')} in all, at most ${most.toLocaleString('en')} at ${times.clock(busiest.startsAt).slice(0, 5)}`}
        </span>
      </header>
      <svg
        className="throughput"
        viewBox={`0 0 ${60 * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {intervals?.map(({ startsAt, endedCount, failedCount }, index) => (
          <g key={startsAt}>
            <rect
              className="ended"
              x={index * STEP + 1}
              width={STEP - 2}
              y={HEIGHT - height(endedCount)}
              height={height(endedCount)}
            />
            <rect
              className="failed"
              x={index * STEP + 1}
              width={STEP - 2}
              y={HEIGHT - height(failedCount)}
              height={height(failedCount)}
            />
          </g>
        ))}
      </svg>
    </section>
  );
}
