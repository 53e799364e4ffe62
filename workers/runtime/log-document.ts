import type { JobRecordRow, RecordedLine, RecordedRun } from '../../src/db/sql/worker/find-job-record.ts';

/** Lines of a job that its file holds at most: the newest. The job's own log has them all. */
export const MAX_FILE_LINES = 2_000;

/**
 * A pipeline job's log file: JSON with the names of the video system's contract. A run that wrote lines but has ended without an attempt (handed back,
 * put off) stands there with its lines alone.
 */
export function logDocument({ id, status, definition_key, video_id, runs, lines }: JobRecordRow): string {
  const numbers = new Set([...runs, ...lines].map(({ runNo }) => runNo));
  const document = {
    job_id: id,
    video_id,
    job_type: definition_key,
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
