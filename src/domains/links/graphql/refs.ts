import type { LinkRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';

export const LinkType = builder.objectRef<LinkRow>('Link');
