import { defineEntityStream } from '../../../graphql/subscriptions/define-entity-stream.ts';
import { CallType } from './call-ref.ts';
import { callLoader } from './loaders.ts';

defineEntityStream({
  typeName: 'Call',
  type: CallType,
  loader: callLoader,
  entity: 'call',
  scope: 'videos',
  description:
    'One call: as it is now, then at every change of it, of a job about it or of that job’s progress. Null when it is deleted; the stream then ends.',
});
