import type { CallRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';

/**
 * A hit names its call and a call its turns; the reference stands apart so that neither file imports the
 * other.
 */
export const CallType = builder.objectRef<CallRow>('Call');
