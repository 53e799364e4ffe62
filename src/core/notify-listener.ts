import type { FinishListener, FinishResult } from './queue.ts';

/** Notifies a listener of the result of a finish that answers by a promise. */
export function notifyListener(answer: Promise<FinishResult>, listener: FinishListener): void {
  answer.then(
    (result) => listener.finished(result),
    (error: unknown) => listener.failed(error),
  );
}
