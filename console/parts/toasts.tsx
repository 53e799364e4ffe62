import { CircleAlert, CircleCheck } from 'lucide-react';
import { useSyncExternalStore } from 'react';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
}

const SHOWN_MS = 6_000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of [...listeners]) listener();
}

/** Says for some seconds what an act has done. */
export function toast(text: string, isBad = false): void {
  const id = ++lastId;
  set([...toasts, { id, text, isBad }].slice(-4));
  setTimeout(() => set(toasts.filter((each) => each.id !== id)), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, isBad }) => (
        <div key={id} className={`note ${isBad ? 'bad' : 'ok'}`}>
          {isBad ? (
            <CircleAlert aria-hidden="true" size={18} />
          ) : (
            <CircleCheck aria-hidden="true" size={18} />
          )}
          <p>{text}</p>
        </div>
      ))}
    </div>
  );
}
