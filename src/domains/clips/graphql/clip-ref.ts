import type { ClipRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';

/**
 * A video has clips and a clip its video; the reference stands apart so that neither file imports the other.
 */
export const ClipType = builder.objectRef<ClipRow>('Clip');
