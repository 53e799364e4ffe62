import { ArrowUp } from 'lucide-react';

/**
 * New jobs wait here, so that no row moves under a pointer. Its place is kept free: nothing shifts when it
 * appears.
 */
export function NewJobs({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  return (
    <div className="new-jobs" aria-live="polite">
      {count > 0 && (
        <button type="button" className="button small" onClick={onShow}>
          <ArrowUp aria-hidden="true" size={14} /> {count > 999 ? '999+' : count} new
        </button>
      )}
    </div>
  );
}
