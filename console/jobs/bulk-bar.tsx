import { Ban, RotateCcw, X } from 'lucide-react';
import type { BulkAct } from './bulk-dialog.tsx';
import type { Selection } from './use-selection.ts';

export function BulkBar({
  selection,
  hasMore,
  onAct,
}: {
  readonly selection: Selection;
  readonly hasMore: boolean;
  readonly onAct: (act: BulkAct) => void;
}) {
  return (
    <section className="bulk-bar" aria-label="Selected jobs">
      <strong className="num" role="status">
        {selection.isAll ? 'All that match' : `${selection.count} selected`}
      </strong>
      {hasMore && !selection.isAll && (
        <button type="button" className="button quiet small" onClick={selection.selectAll}>
          Select all that match
        </button>
      )}
      <span className="grow" />
      <button type="button" className="button small" onClick={() => onAct('retry')}>
        <RotateCcw aria-hidden="true" size={14} /> Retry
      </button>
      <button type="button" className="button small" onClick={() => onAct('cancel')}>
        <Ban aria-hidden="true" size={14} /> Cancel
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label="Clear the selection"
        onClick={selection.clear}
      >
        <X aria-hidden="true" size={16} />
      </button>
    </section>
  );
}
