import type { JobRecord, RecordedLine, RecordedRun } from '../../src/core/run-records.ts';

/** Lines of a job that its file holds at most: the newest. The job's own log has them all. */
export const MAX_FILE_LINES = 2_000;

/**
 * A pipeline job's log file: JSON with the names of the video system's contract. A run that wrote lines but
 * has ended without an attempt (handed back, put off) stands there with its lines alone.
 */
export function logDocument({ jobId, status, definitionKey, payload, runs, lines }: JobRecord): string {
  const numbers = new Set([...runs, ...lines].map(({ runNo }) => runNo));
  const document = {
    job_id: jobId,
    video_id: videoIdOf(payload),
    job_type: definitionKey,
    status,
    ...(lines.length >= MAX_FILE_LINES && { newest_lines: MAX_FILE_LINES }),
    runs: [...numbers]
      .sort((one, other) => one - other)
      .map((runNo) =>
        runEntry(
          runNo,
          runs.find((run) => run.runNo === runNo),
          lines.filter((line) => line.runNo === runNo),
        ),
      ),
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

function videoIdOf(payload: unknown): string | null {
  const id = (payload as { readonly video_id?: unknown } | null)?.video_id;
  return typeof id === 'string' ? id : null;
}

function runEntry(runNo: number, run: RecordedRun | undefined, lines: readonly RecordedLine[]): object {
  return {
    run_no: runNo,
    status: run?.status ?? null,
    worker: run?.worker ?? null,
    started: timeOf(run?.startedAt ?? run?.claimedAt),
    finished: timeOf(run?.finishedAt),
    error: errorEntry(run?.error ?? null),
    lines: lines.map(({ at, level, message, data }) => ({
      timestamp: timeOf(at),
      level,
      message,
      ...(data !== null && { data }),
    })),
  };
}

function errorEntry(error: RecordedRun['error']): object | null {
  if (error === null) return null;
  const { retryCount, ...rest } = error;
  return { ...rest, retry_count: retryCount ?? 0 };
}

function timeOf(time: string | null | undefined): string | null {
  return time == null ? null : new Date(time).toISOString();
}
