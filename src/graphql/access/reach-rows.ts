import { type Reach, reachesJob, reachesPartOf, reachesVideo } from '../../core/reach.ts';
import type { ClipRow, JobRow, SegmentRow, VideoRow } from '../../db/prisma.ts';

type RowCheck = (reach: Reach, row: unknown) => boolean;

/**
 * Types of which a row may be out of reach. The loaders leave such rows out already; this is for whatever comes by another way. What
 * is read from the value of the parent costs no statement.
 */
const ROW_CHECKS: Readonly<Record<string, RowCheck>> = {
  Job: (reach, row) => reachesJob(reach, row as JobRow),
  Video: (reach, row) => reachesVideo(reach, row as VideoRow),
  Clip: (reach, row) => reachesPartOf(reach, (row as ClipRow).videoId),
  Segment: (reach, row) => reachesPartOf(reach, (row as SegmentRow).videoId),
};

/** Whether a value of a type is within reach. */
export function isRowWithin(reach: Reach, typeName: string, row: unknown): boolean {
  return ROW_CHECKS[typeName]?.(reach, row) ?? true;
}
