import { duration, useNow, useTimes } from '../parts/time.ts';
import type { Detail } from './use-job-detail.ts';

interface Bar {
  readonly key: string;
  readonly name: string;
  readonly kind: 'wait' | 'run' | 'ok' | 'bad' | 'warn';
  readonly fromMs: number;
  readonly toMs: number;
}

const KINDS = {
  RUNNING: 'run',
  SUCCEEDED: 'ok',
  FAILED: 'bad',
  TIMEOUT: 'bad',
  LOST: 'warn',
  INTERRUPTED: 'warn',
  CANCELED: 'warn',
  SKIPPED: 'warn',
} as const;

/** When it waited and when it ran, on one axis from its enqueueing to its end. */
export function Timeline({ job }: { readonly job: Detail }) {
  const now = useNow();
  const times = useTimes();
  const bars = barsOf(job, now);
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return null;
  const [from, to] = [first.fromMs, Math.max(last.toMs, first.fromMs + 1)];
  const dueMs = job.scheduledFor === null ? null : Date.parse(job.scheduledFor);
  const share = (ms: number): string => `${(100 * (ms - from)) / (to - from)}%`;
  return (
    <section className="card" aria-labelledby="timeline">
      <header className="card-head">
        <h2 id="timeline">Timeline</h2>
        <span className="muted small num">{duration(to - from)} in all</span>
      </header>
      <div className="card-body">
        <ol className="timeline" aria-label="Waits and runs">
          {bars.map(({ key, name, kind, fromMs, toMs }) => (
            <li key={key}>
              <span className="timeline-name">{name}</span>
              <span className="timeline-track">
                {dueMs !== null && kind === 'wait' && dueMs > fromMs && dueMs < toMs && (
                  <i className="timeline-due" style={{ left: share(dueMs) }} title="Due" />
                )}
                <i
                  className={`timeline-bar ${kind}`}
                  style={{
                    left: `min(${share(fromMs)}, 100% - 3px)`,
                    width: `max(3px, ${share(from + toMs - fromMs)})`,
                  }}
                />
              </span>
              <span className="timeline-time num">{duration(toMs - fromMs)}</span>
            </li>
          ))}
        </ol>
        <Marks job={job} />
        <p className="timeline-axis num small muted">
          <span>{times.at(new Date(from).toISOString())}</span>
          <span>{times.at(new Date(to).toISOString())}</span>
        </p>
      </div>
    </section>
  );
}

/** What bars do not say. */
function Marks({ job }: { readonly job: Detail }) {
  const { lostLeaseCount, snoozeCount, isCancelRequested } = job;
  const marks = [
    lostLeaseCount > 0 && `${lostLeaseCount} lost with their workers`,
    snoozeCount > 0 && `put off ${snoozeCount} times`,
    isCancelRequested && 'asked to stop',
  ].filter(Boolean);
  return marks.length === 0 ? null : <p className="small muted timeline-marks">{marks.join(' · ')}</p>;
}

function barsOf(job: Detail, now: number): readonly Bar[] {
  const bars: Bar[] = [];
  let readyMs = Date.parse(job.createdAt);
  for (const { attemptNo, status, claimedAt, finishedAt } of job.attempts) {
    const fromMs = Date.parse(claimedAt);
    if (fromMs > readyMs)
      bars.push({ key: `wait ${attemptNo}`, name: 'Waited', kind: 'wait', fromMs: readyMs, toMs: fromMs });
    readyMs = finishedAt === null ? now : Date.parse(finishedAt);
    const name = `Run ${attemptNo}, ${status.toLowerCase()}`;
    bars.push({
      key: `run ${attemptNo}`,
      name,
      kind: KINDS[status],
      fromMs,
      toMs: Math.max(readyMs, fromMs),
    });
  }
  if (job.status === 'QUEUED')
    bars.push({ key: 'now', name: 'Waits', kind: 'wait', fromMs: readyMs, toMs: Math.max(now, readyMs + 1) });
  return bars;
}
