import { DomainError } from '../../../core/errors.ts';
import { checkFilterText, distinctValues } from '../../../core/filter-values.ts';
import { isUuid } from '../../../core/ids.ts';
import { CLIP_STATUSES, type ClipStatus } from '../../clips/clip-status.ts';
import { VIDEO_STATUSES, type VideoStatus } from '../video-status.ts';

/** Which videos of one tenant to watch. What is omitted does not restrict. */
export interface VideoListFilter {
  readonly tenantId: string;
  /** The one thing here that changes: a video that leaves them is announced as `videoLeft`. */
  readonly statuses?: readonly VideoStatus[] | null;
  readonly createdBy?: string | null;
  /** Of the initial state: 1,000 by default, 1 to 10,000, newest first. */
  readonly initialLimit?: number | null;
}

/** Which clips of one tenant to watch. What is omitted does not restrict. */
export interface ClipListFilter extends Omit<VideoListFilter, 'statuses'> {
  /** As for videos. `queued` and `running` are one: which of both it is stands in the job, and is no change of the clip. */
  readonly statuses?: readonly ClipStatus[] | null;
  readonly videoId?: string | null;
}

/** A filter of either kind with its defaults filled in. */
export interface CheckedMediaFilter {
  readonly tenantId: string;
  /** As rows have them. */
  readonly statuses: readonly string[] | null;
  readonly createdBy: string | null;
  /** Of clips; null for videos. */
  readonly videoId: string | null;
  readonly initialLimit: number;
}

const MAX_CREATOR_LENGTH = 300;

/** Checks a filter and fills in its defaults. @throws DomainError `InvalidArgument` naming the field */
export function checkVideoFilter(filter: VideoListFilter): CheckedMediaFilter {
  return checked({ ...filter, statuses: statusesOf(filter.statuses, VIDEO_STATUSES) });
}

/** The same for clips. @throws DomainError `InvalidArgument` naming the field */
export function checkClipFilter(filter: ClipListFilter): CheckedMediaFilter {
  const { videoId = null } = filter;
  if (videoId !== null) requireThat(isUuid(videoId), 'videoId', videoId.slice(0, 80), 'a UUID');
  const asked = statusesOf(filter.statuses, CLIP_STATUSES);
  const stored = asked?.map((status) => (status === 'running' ? 'queued' : status)) ?? null;
  return checked({ ...filter, statuses: stored === null ? null : [...new Set(stored)] });
}

function checked(filter: {
  readonly tenantId: string;
  readonly statuses: readonly string[] | null;
  readonly createdBy?: string | null;
  readonly videoId?: string | null;
  readonly initialLimit?: number | null;
}): CheckedMediaFilter {
  requireThat(isUuid(filter.tenantId), 'tenantId', filter.tenantId, 'a UUID');
  checkFilterText('filter.createdBy', filter.createdBy, MAX_CREATOR_LENGTH);
  const initialLimit = filter.initialLimit ?? 1_000;
  const isLimit = Number.isInteger(initialLimit) && initialLimit >= 1 && initialLimit <= 10_000;
  requireThat(isLimit, 'initialLimit', initialLimit, 'a whole number from 1 to 10000');
  return {
    tenantId: filter.tenantId.toLowerCase(),
    statuses: filter.statuses,
    createdBy: filter.createdBy ?? null,
    videoId: filter.videoId?.toLowerCase() ?? null,
    initialLimit,
  };
}

function statusesOf(
  statuses: readonly string[] | null | undefined,
  allowed: readonly string[],
): readonly string[] | null {
  if (statuses == null) return null;
  const distinct = distinctValues('filter.statuses', statuses);
  for (const status of distinct) {
    requireThat(allowed.includes(status), 'statuses', status.slice(0, 80), allowed.join(', '));
  }
  return distinct;
}

function requireThat(ok: boolean, field: string, value: unknown, allowed: string): void {
  if (ok) return;
  const message = `Feed filter: ${field} is ${JSON.stringify(value)}, allowed: ${allowed}`;
  throw new DomainError('InvalidArgument', message, { field: `filter.${field}`, allowed });
}
