import { builder } from '../../../graphql/builder.ts';
import { ClipType } from './clip-ref.ts';

export const ClipConnection = builder.connectionObject(
  { type: ClipType, name: 'ClipConnection', description: 'A page of clips, newest first.' },
  { name: 'ClipEdge', description: 'A clip with its cursor.' },
);
