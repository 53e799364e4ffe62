import type { SegmentRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';

/**
 * A video has segments and a segment its video; the reference stands apart so that neither file imports the
 * other.
 */
export const SegmentType = builder.objectRef<SegmentRow>('Segment');
