/** Why a running handler is asked to stop: the reason of its abort signal. */
export type AbortKind = 'canceled' | 'timedOut' | 'leaseLost' | 'shuttingDown' | 'notBegun' | 'strayError';

const NAMES: Readonly<Record<AbortKind, string>> = {
  canceled: 'Canceled',
  timedOut: 'TimedOut',
  leaseLost: 'LeaseLost',
  shuttingDown: 'ShuttingDown',
  notBegun: 'NotBegun',
  strayError: 'StrayError',
};

/** The reason of a run's abort signal; `name` says which in the words that handlers and logs see. */
export class RunAborted extends Error {
  readonly kind: AbortKind;

  constructor(kind: AbortKind, message: string, cause?: Error) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = NAMES[kind];
    this.kind = kind;
  }
}

/**
 * Somebody asked to cancel the job.
 * @param reason what they gave as the reason, which becomes the job's
 */
export function canceledRun(reason: string | null): RunAborted {
  return new RunAborted('canceled', reason ?? 'canceled');
}

/** @param timeoutSeconds the limit that the run has reached, counted from its start */
export function timedOutRun(timeoutSeconds: number): RunAborted {
  return new RunAborted('timedOut', `The run took longer than its ${timeoutSeconds} s.`);
}

/** Another run has the job, or may have it by now: nothing that this one still does counts. */
export function leaseLostRun(): RunAborted {
  return new RunAborted(
    'leaseLost',
    'The lease of this run is lost; what it does from here on does not count.',
  );
}

/** The worker stops; the job goes back to the queue with its attempt unspent. */
export function shuttingDownRun(): RunAborted {
  return new RunAborted('shuttingDown', 'The worker is shutting down.');
}

/**
 * Claimed ahead of a slot that was not free soon enough: another worker may have one. The job goes back, its
 * attempt unspent.
 */
export function notBegunRun(): RunAborted {
  return new RunAborted('notBegun', 'The run waited too long for a slot.');
}

/**
 * The handler has left an error behind that nobody handles, and its process ends for it.
 * @param error which the run fails with
 */
export function strayErrorRun(error: Error): RunAborted {
  return new RunAborted('strayError', `An error that the handler does not handle: ${error.message}`, error);
}
