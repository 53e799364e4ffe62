import type { JobOrder } from '../../jobs/job-order.ts';
import { builder } from '../builder.ts';

const OrderDirectionEnum = builder.enumType('OrderDirection', {
  description: 'Which end of a list comes first.',
  values: {
    ASC: { value: 'asc', description: 'The least, or earliest.' },
    DESC: { value: 'desc', description: 'The greatest, or latest.' },
  } as const,
});

const JobOrderFieldEnum = builder.enumType('JobOrderField', {
  description: 'What jobs are ordered by.',
  values: {
    CREATED_AT: { value: 'created', description: 'When they were enqueued.' },
    SCHEDULED_FOR: {
      value: 'scheduled',
      description:
        'Since when they have been due; there are only jobs that are due, as with the filter `due: true`.',
    },
    FINISHED_AT: { value: 'finished', description: 'When they ended; there are only jobs that have ended.' },
  } as const,
});

export const JobOrderInput = builder.inputRef<JobOrder>('JobOrder').implement({
  description: 'In which order jobs come.',
  fields: (t) => ({
    field: t.field({ type: JobOrderFieldEnum, required: true, description: 'What they are ordered by.' }),
    direction: t.field({ type: OrderDirectionEnum, required: true, description: 'Which end comes first.' }),
  }),
});
