import { SchedulePreview } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { At } from '../parts/when.tsx';
import type { ListedTrigger } from './listed-trigger.ts';

const SHOWN = 3;

/**
 * The runs after the next one, by the server's own calculation, with a mark where a clock change moves them.
 */
export function NextRuns({ trigger }: { readonly trigger: ListedTrigger }) {
  const { cron, timeZone, missingHour, repeatedHour, nextRunAt } = trigger;
  const input = { cron: cron ?? '', timeZone, missingHour, repeatedHour };
  // Asked again when the next run has gone by.
  const { data } = useOperation(
    SchedulePreview,
    { input, count: SHOWN },
    { isOn: cron !== null && nextRunAt !== null },
  );
  return (
    <span className="next-runs muted small">
      {data?.schedulePreview?.runs.slice(1).map(({ scheduledAt, clockChange }) => (
        <span key={scheduledAt}>
          then <At at={scheduledAt} />
          {clockChange !== 'NONE' && ' ⚠ clock change'}
        </span>
      ))}
    </span>
  );
}
