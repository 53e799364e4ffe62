import type { JobError } from '../../core/job.ts';
import { builder } from '../builder.ts';

/**
 * The error of a run. The stored JSON may come from a foreign writer, so nothing in it is taken for granted.
 */
export const JobErrorType = builder.objectRef<Partial<JobError>>('JobError').implement({
  description: 'Why a run failed.',
  fields: (t) => ({
    type: t.string({
      description: 'Class of the error: `S3ObjectNotFound`, `TimedOut` …',
      resolve: (error) => error.type ?? 'Error',
    }),
    message: t.string({ description: 'What went wrong.', resolve: (error) => error.message ?? '' }),
    failedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it went wrong.',
      resolve: ({ timestamp }) => {
        const time = new Date(timestamp ?? Number.NaN);
        return Number.isNaN(time.getTime()) ? null : time;
      },
    }),
    retryCount: t.int({
      description: 'Runs that had ended in an error before this one.',
      resolve: (error) => error.retryCount ?? 0,
    }),
  }),
});

/** A stored error as an object, or null. */
export function storedError(value: unknown): Partial<JobError> | null {
  return typeof value === 'object' && value !== null ? value : null;
}
