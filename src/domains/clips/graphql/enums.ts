import { builder } from '../../../graphql/builder.ts';
import { valuesOf } from '../../../graphql/types/enums.ts';
import { CLIP_STATUSES } from '../clip-status.ts';

export const ClipStatusEnum = builder.enumType('ClipStatus', {
  description: 'Where a clip stands.',
  values: valuesOf(CLIP_STATUSES, {
    queued: 'Its job waits for a worker, or for its next try.',
    running: 'It is being made.',
    ready: 'It can be fetched at `url`.',
    failed: 'It could not be made; `error` says why. Ask for it again, or retry its job.',
    expired: 'Its time is up and its file is gone. Ask for it again.',
  }),
});
