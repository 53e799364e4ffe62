/** What a worker counts. */
export interface WorkerMetrics {
  /** A run is over and its end is written. */
  runEnded(definitionKey: string, outcome: RunOutcome, seconds: number): void;
  /** One claim statement, and how many jobs it brought. */
  claimed(jobCount: number, seconds: number): void;
  /** From the time when a job could have been claimed to its claim, by the database's clock. */
  pickedUp(definitionKey: string, seconds: number): void;
  leasesRenewed(count: number): void;
  leasesLost(count: number): void;
  /** Lines that handlers wrote and that their job's log does not have. */
  logLinesLost(reason: string, count: number): void;
  /** Says where the figures of this moment are read, once a process. */
  observe(state: WorkerState): void;
}

/**
 * `handed_back`: not its fault, it is run again with its attempt unspent. `lost`: its lease was, so nothing
 * was written.
 */
export type RunOutcome =
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'dead_letter'
  | 'retry'
  | 'snooze'
  | 'handed_back'
  | 'lost';

export interface WorkerState {
  /** Runs that are not settled. */
  runningCount(): number;
  slotCount(): number;
  /** Memory that log lines take which wait to be stored. */
  pendingLogBytes(): number;
}
