import { builder } from '../../../graphql/builder.ts';
import { LinkType } from './refs.ts';

export const LinkConnection = builder.connectionObject(
  { type: LinkType, name: 'LinkConnection', description: 'A page of links, newest first.' },
  { name: 'LinkEdge', description: 'A link with its cursor.' },
);
