import type { Figure } from './figure.ts';

/** How much to measure. The quick form is there to see that the harness works; its figures say little. */
export interface Effort {
  readonly quick: boolean;
  readonly pairs: number;
  /** What one side of a pair takes at least. */
  readonly runSeconds: number;
  /** Samples of a latency. */
  readonly samples: number;
  /** Starts of a program. */
  readonly starts: number;
  /** Subscribers of a crowd. */
  readonly clients: number;
}

export const FULL: Effort = {
  quick: false,
  pairs: 9,
  runSeconds: 3,
  samples: 2000,
  starts: 9,
  clients: 10_000,
};
export const QUICK: Effort = {
  quick: true,
  pairs: 3,
  runSeconds: 0.5,
  samples: 100,
  starts: 2,
  clients: 200,
};

export interface MeasureContext {
  readonly effort: Effort;
  /** Prints a line about how it goes. */
  readonly say: (line: string) => void;
}

/** One thing that is measured. */
export interface Measure {
  /** As it is called on the command line. */
  readonly name: string;
  readonly title: string;
  run(context: MeasureContext): Promise<readonly Figure[]>;
}
