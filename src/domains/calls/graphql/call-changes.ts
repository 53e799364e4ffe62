import { defineListStream } from '../../../graphql/subscriptions/define-list-stream.ts';
import { callList } from '../feed/call-list.ts';
import { CallType } from './call-ref.ts';
import { CallStatusEnum } from './enums.ts';
import { callLoader } from './loaders.ts';

defineListStream({
  typeName: 'Call',
  type: CallType,
  loader: callLoader,
  list: callList,
  statusType: CallStatusEnum,
  scope: 'videos',
});
