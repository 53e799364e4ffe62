import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { entityTopic } from '../../../graphql/subscriptions/entity-topic.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { linkLoader } from './loaders.ts';
import { LinkType } from './refs.ts';

builder.subscriptionField('linkChanged', (t) =>
  t.field({
    type: LinkType,
    nullable: true,
    authScopes: { member: true },
    description:
      'One link: as it is now, then at every change of it. Null when it is deleted; the stream then ends.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    subscribe: async (_root, { id }, context) => {
      const linkId = uuidOf('Link', id);
      if ((await loaderOf(context, linkLoader).load(linkId)) === null) throw notFound('link', linkId);
      const { actor, deps } = context;
      return entityTopic(`link ${linkId}`, () =>
        deps.feed.subscribeEntity({ entity: 'link', tenantId: actor.tenantId, id: linkId }),
      );
    },
    resolve: ({ id }: { id: string }, _args, context) => loaderOf(context, linkLoader).load(id),
  }),
);
