import type { FinishListener, FinishResult } from './queue.ts';

/** Tells a listener what comes of a finish that answers by a promise. */
export function notifyListener(answer: Promise<FinishResult>, listener: FinishListener): void {
  answer.then(
    (result) => listener.finished(result),
    (error: unknown) => listener.failed(error),
  );
}
