import type { BulkActionRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';
import { valuesOf } from '../../../graphql/types/enums.ts';
import { BULK_STATUSES, BULK_VERBS } from '../bulk-action.ts';

export const BulkActionType = builder.objectRef<BulkActionRow>('BulkAction');

export const BulkVerbEnum = builder.enumType('BulkVerb', {
  description: 'What is done to many jobs.',
  values: valuesOf(BULK_VERBS, {
    cancel: 'Queued ones end, running ones are asked to stop.',
    retry: 'Failed, canceled and dead ones go back into the queue with a fresh budget.',
  }),
});

export const BulkActionStatusEnum = builder.enumType('BulkActionStatus', {
  description: 'Where a bulk action stands.',
  values: valuesOf(BULK_STATUSES, {
    running: 'It goes on, batch by batch.',
    succeeded: 'All jobs that match were looked at.',
    stopped: 'Somebody has stopped it; what it did stays done.',
    failed: 'It could not go on; `failure` says why. What it did stays done.',
  }),
});
