import { At, When } from '../parts/when.tsx';

/** Why a job is not there: by its id alone there is a time at which it would have been enqueued. */
export function GoneJob({ jobId }: { readonly jobId: string }) {
  const createdAt = createdAtOf(jobId);
  if (createdAt === null) return <p>Its id is none that a job has here: it was never enqueued.</p>;
  return (
    <p>
      Its id is of <At at={createdAt} /> (<When at={createdAt} />
      ). If it was enqueued here, it has ended, and was deleted when the retention of its definition or tenant
      was over.
    </p>
  );
}

/**
 * When an id was made, which its first 48 bits say; null for one of another version, or of a time to come.
 */
function createdAtOf(jobId: string): string | null {
  const [, high = '', low = ''] =
    /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.exec(jobId) ?? [];
  const ms = Number.parseInt(high + low, 16);
  return ms <= Date.now() ? new Date(ms).toISOString() : null;
}
