import type { JobUpdate, UpdateResult } from '../core/producer-queue.ts';
import { checkVersion } from '../core/version-match.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { recordAction } from '../db/record-action.ts';
import type { LockedJobRow } from '../db/sql/queue/lock-jobs.ts';
import { type UpdatedLabelsRow, updateJobLabels } from '../db/sql/queue/update-job-labels.ts';
import { type UpdatedJobRow, updateQueuedJob } from '../db/sql/queue/update-queued-job.ts';
import { checkLabels, metadataJson } from '../payloads/job-labels.ts';
import { textArray } from './columns.ts';
import { holdingJobs, OPERATOR_WAIT_MS } from './hold-jobs.ts';
import { notifyReady, notifyWatchers } from './notifications.ts';

/**
 * Another priority or time for a job that is still queued, other tags or metadata for any; recorded with the
 * actor.
 * @throws DomainError `InvalidArgument` for tags and metadata, `PreconditionFailed`
 */
export async function updateJobRow(
  db: Database,
  notifier: Notifier,
  update: JobUpdate,
): Promise<UpdateResult> {
  checkLabels(update);
  const { tenantId, jobId } = update;
  const changesRun = update.priority !== null || update.scheduledFor !== null;
  const holding = { tenantId, ids: [jobId], waitMs: OPERATOR_WAIT_MS };
  const result = await holdingJobs<UpdateResult>(db, holding, async (tx, [row]) => {
    if (row === undefined) return { kind: 'notFound' };
    checkVersion(update.ifMatch, row.version);
    if (changesRun && row.status !== 'queued') return { kind: 'wrongState', status: row.status };
    const changes = [await changeRun(tx, row, update), await changeLabels(tx, update)];
    await record(tx, update, changes);
    return { kind: 'updated' };
  });
  if (result === 'busy') return { kind: 'busy' };
  if (result.kind === 'updated') changesRun ? notifyReady(notifier) : notifyWatchers(notifier);
  return result;
}

/** What the audit log says of a change. */
interface Change {
  readonly old: Record<string, unknown>;
  readonly new: Record<string, unknown>;
}

async function changeRun(tx: Transaction, row: LockedJobRow, update: JobUpdate): Promise<Change | null> {
  const { tenantId, jobId, scheduledFor } = update;
  const priority = update.priority === row.priority ? null : update.priority;
  if (priority === null && scheduledFor === null) return null;
  const { rows } = await tx.query<UpdatedJobRow>(updateQueuedJob, [tenantId, jobId, priority, scheduledFor]);
  const now = rows[0] as UpdatedJobRow;
  return {
    old: { priority: row.priority, scheduledFor: row.scheduled_for },
    new: { priority: now.priority, scheduledFor: now.scheduled_for },
  };
}

/** Metadata can be what nobody else should read for a year: the log says that it changed. */
async function changeLabels(tx: Transaction, update: JobUpdate): Promise<Change | null> {
  const { tenantId, jobId, tags, metadata } = update;
  if (tags == null && metadata == null) return null;
  const { rows } = await tx.query<UpdatedLabelsRow>(updateJobLabels, [
    tenantId,
    jobId,
    tags == null ? null : textArray([...new Set(tags)]),
    metadata == null ? null : (metadataJson({ metadata }) ?? '{}'),
  ]);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    old: { tags: row.old_tags ?? [] },
    new: { tags: row.new_tags ?? [], ...(row.is_metadata_changed && { isMetadataChanged: true }) },
  };
}

async function record(
  tx: Transaction,
  { tenantId, by, jobId }: JobUpdate,
  changes: readonly (Change | null)[],
): Promise<void> {
  if (changes.every((change) => change === null)) return;
  await recordAction(tx, {
    tenantId,
    actor: by,
    action: 'job.update',
    targetType: 'job',
    targetId: jobId,
    details: {
      old: Object.assign({}, ...changes.map((change) => change?.old)),
      new: Object.assign({}, ...changes.map((change) => change?.new)),
    },
  });
}
