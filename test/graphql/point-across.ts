import type { TestApi } from '../support/api.ts';
import type { TenantRows } from '../support/tenant-rows.ts';

/**
 * Makes rows of one tenant that point at another's, as only a foreign writer could. @param mark stands in the
 * other's texts
 */
export async function pointAcross(
  api: TestApi,
  ours: TenantRows,
  other: TenantRows,
  mark: string,
): Promise<void> {
  await api.superuser.query(`update millrace.jobs set subject_id = $1, replay_of = $3 where id = $2`, [
    other.videoId,
    ours.jobId,
    other.jobId,
  ]);
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, subject_type, subject_id, reason, payload, dedupe_key, replay_of)
     select $1, id, 'video', $2, $3, jsonb_build_object('message', $3::text), $3, $4 from millrace.job_definitions where key = 'echo'`,
    [other.tenantId, ours.videoId, mark, ours.jobId],
  );
  await api.superuser.query(`update millrace.clips set job_id = $1 where id = $2`, [
    other.jobId,
    ours.clipId,
  ]);
}
