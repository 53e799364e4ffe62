import { defineEntityStream } from '../../../graphql/subscriptions/define-entity-stream.ts';
import { linkLoader } from './loaders.ts';
import { LinkType } from './refs.ts';

defineEntityStream({
  typeName: 'Link',
  type: LinkType,
  loader: linkLoader,
  entity: 'link',
  scope: 'member',
  description:
    'One link: as it is now, then at every change of it. Null when it is deleted; the stream then ends.',
});
