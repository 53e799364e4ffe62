import { builder } from '../../../graphql/builder.ts';
import { CallType } from './call-ref.ts';

export const CallConnection = builder.connectionObject(
  { type: CallType, name: 'CallConnection', description: 'A page of calls, newest first.' },
  { name: 'CallEdge', description: 'A call with its cursor.' },
);
