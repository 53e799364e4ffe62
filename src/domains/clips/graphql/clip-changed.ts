import { defineEntityStream } from '../../../graphql/subscriptions/define-entity-stream.ts';
import { ClipType } from './clip-ref.ts';
import { clipLoader } from './loaders.ts';

defineEntityStream({
  typeName: 'Clip',
  type: ClipType,
  loader: clipLoader,
  entity: 'clip',
  scope: 'videos',
  description:
    'One clip: as it is now, then at every change of it, of the job that makes it or of that job’s progress. Null when it is deleted, by itself or with its video; the stream then ends.',
});
