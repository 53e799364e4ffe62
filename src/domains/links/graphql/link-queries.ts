import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { pageComplexity, toConnection } from '../../../graphql/types/connections.ts';
import { findLinks, readLink } from '../use-cases/find-links.ts';
import { LinkStatusEnum } from './enums.ts';
import { LinkConnection } from './link-connection.ts';
import { linkLoader } from './loaders.ts';
import { LinkType } from './refs.ts';

const LinkFilterInput = builder.inputType('LinkFilter', {
  description: 'Which links. Conditions are joined by "and"; an absent one takes all.',
  fields: (t) => ({ status: t.field({ type: LinkStatusEnum, description: 'Where they stand.' }) }),
});

builder.queryFields((t) => ({
  link: t.field({
    type: LinkType,
    nullable: true,
    authScopes: { member: true },
    description: 'One link; null when it is not there or belongs to another tenant.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    resolve: (_root, { id }, context) =>
      readLink(loaderOf(context, linkLoader), context.actor, uuidOf('Link', id)),
  }),
  links: t.field({
    type: LinkConnection,
    nullable: true,
    authScopes: { member: true },
    complexity: pageComplexity,
    description: 'The tenant’s links, newest first.',
    args: {
      ...t.arg.connectionArgs(),
      filter: t.arg({ type: LinkFilterInput, description: 'Which ones.' }),
    },
    resolve: async (_root, { filter, ...page }, { actor, operation }) =>
      toConnection(await findLinks(operation.transaction, actor, filter ?? {}, page)),
  }),
}));
