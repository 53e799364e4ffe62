import type { Job } from '../src/core/job.ts';
import type { Lease } from '../src/core/queue.ts';
import type { ObjectStore } from '../src/storage/object-store.ts';
import type { MediaTools, OcrTools } from './programs.ts';

/** What a worker has, of which registrations take what their handlers need. */
export interface WorkerParts {
  readonly storage: ObjectStore;
  /** Where media programs were found; null when the machine has none. */
  readonly media: MediaTools | null;
  /** What reads texts in pictures; null when the machine has nothing that does. */
  readonly ocr: OcrTools | null;
}

/** The run that something is provided to. */
export interface ProvidedRun {
  readonly job: Job;
  readonly lease: Lease;
}

/**
 * Makes what a handler has as its `own`. The outer function is called once a worker, when the first job asks;
 * the inner one once a run, when its handler asks.
 */
export type Provide<Own> = Bivariant<Own>['provide'];

/**
 * As a method, so that Millrace's own may ask for `EngineParts`, which all workers have and the package does
 * not show.
 */
interface Bivariant<Own> {
  provide(parts: WorkerParts): (run: ProvidedRun) => Own;
}

/** The media programs, for a job that runs ffmpeg itself: `job(definition, handler, media)`. */
export const media: Provide<{ readonly media: MediaTools | null }> = (parts) => () => parts;

/** What each run gets of what its registration provides; undefined where that provides nothing. */
export function createOwnOf(
  registrations: readonly {
    readonly definition: { readonly key: string };
    readonly provide?: Provide<unknown>;
  }[],
  parts: WorkerParts,
): (definitionKey: string, run: ProvidedRun) => unknown {
  const providers = new Map(registrations.map(({ definition, provide }) => [definition.key, provide]));
  const made = new Map<string, (run: ProvidedRun) => unknown>();
  return (key, run) => {
    let own = made.get(key);
    if (own === undefined) {
      own = providers.get(key)?.(parts) ?? (() => undefined);
      made.set(key, own);
    }
    return own(run);
  };
}
