import { TriangleAlert } from 'lucide-react';
import { useDeferredValue } from 'react';
import { type ClockChange, SchedulePreview, type SchedulePreviewInput } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { ErrorNote } from '../parts/notes.tsx';
import { At } from '../parts/when.tsx';

const CHANGES: Readonly<Record<ClockChange, string | null>> = {
  NONE: null,
  SHIFTED: 'the clock skips this hour: it runs after it',
  SKIPPED: 'the clock skips this hour: it does not run',
  REPEATED_FIRST: 'the clock repeats this hour: its first time',
  REPEATED_SECOND: 'the clock repeats this hour: its second time',
};

const DAY_MS = 86_400_000;
/** More often than this is shown as a warning: mostly the minute and the hour were mixed up. */
const MANY_A_DAY = 100;

/** About how often a schedule runs a day, by the distances of its next runs (ms since 1970). */
function runsPerDay(times: readonly number[]): number {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || last === first) return 0;
  return Math.round(((times.length - 1) * DAY_MS) / (last - first));
}

/**
 * The next runs by the server's own calculation, in the schedule's zone and in the reader's, with what clock
 * changes do to them.
 */
export function SchedulePreviewTable({
  input,
  after,
}: {
  readonly input: SchedulePreviewInput;
  /** The runs after this moment; undefined for now. */
  readonly after: string | undefined;
}) {
  const text = useDeferredValue(JSON.stringify({ input, after }));
  const { data, error } = useOperation(SchedulePreview, {
    ...(JSON.parse(text) as { readonly input: SchedulePreviewInput; readonly after?: string }),
    count: 12,
  });
  const preview = data?.schedulePreview;
  const dailyRuns = runsPerDay(preview?.runs.map(({ scheduledAt }) => Date.parse(scheduledAt)) ?? []);
  if (error !== null) return <ErrorNote error={error} />;
  return (
    <section className="preview" aria-label="Next runs">
      <h3 aria-live="polite">{preview?.scheduleInWords ?? 'Next runs'}</h3>
      {preview != null && preview.runs.length === 0 && (
        <p className="note warn">
          <TriangleAlert aria-hidden="true" size={18} /> It never runs.
        </p>
      )}
      {dailyRuns > MANY_A_DAY && (
        <p className="note warn">
          <TriangleAlert aria-hidden="true" size={18} /> It runs {dailyRuns.toLocaleString('en')} times a day.
        </p>
      )}
      <ol>
        {preview?.runs.map(({ scheduledAt, localTime, clockChange }) => (
          <li key={scheduledAt}>
            <span className="num">{localTime.replace('T', ' ')}</span>
            <span className="muted small">
              <At at={scheduledAt} />
            </span>
            {CHANGES[clockChange] !== null && (
              <span className="badge warn">
                <TriangleAlert aria-hidden="true" size={13} /> {CHANGES[clockChange]}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
