import { STAGE_STATUSES } from '../../core/pipelines/stage-status.ts';
import { builder } from '../builder.ts';
import { valuesOf } from './enums.ts';

export const StageStatusEnum = builder.enumType('StageStatus', {
  description: 'Where a stage stands.',
  values: valuesOf(STAGE_STATUSES, {
    waiting: 'Its turn has not come.',
    queued: 'Its job waits for a worker, or for its next try.',
    running: 'It is being worked on.',
    succeeded: 'It is done.',
    failed: 'It failed; retry its job.',
    canceled: 'It was canceled, or one that it waits for did not end well; retry that one.',
  }),
});
