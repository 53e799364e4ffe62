import { At } from '../parts/when.tsx';
import type { ListedTrigger } from './listed-trigger.ts';

/** The runs after the next one, with a mark where a clock change moves them. */
export function NextRuns({ trigger }: { readonly trigger: ListedTrigger }) {
  return (
    <span className="next-runs muted small">
      {trigger.nextRuns.slice(1).map(({ scheduledAt, clockChange }) => (
        <span key={scheduledAt}>
          then <At at={scheduledAt} />
          {clockChange !== 'NONE' && ' ⚠ clock change'}
        </span>
      ))}
    </span>
  );
}
