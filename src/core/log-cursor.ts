import { DomainError } from './errors.ts';
import type { LogPosition } from './job-log.ts';

/** Job, run, line: 16 + 4 + 4 bytes. */
const CURSOR = /^[A-Za-z0-9_-]{32}$/;

/** An opaque text that stands for a line's place in the log of one job. */
export function encodeLogCursor(jobId: string, { runNo, lineNo }: LogPosition): string {
  const bytes = Buffer.alloc(24);
  bytes.write(jobId.replaceAll('-', ''), 'hex');
  bytes.writeUInt32BE(runNo, 16);
  bytes.writeUInt32BE(lineNo, 20);
  return bytes.toString('base64url');
}

/**
 * The place that a cursor stands for.
 * @throws DomainError `InvalidArgument` naming the field, for what is no cursor, or that of another job
 */
export function decodeLogCursor(jobId: string, cursor: string, field = 'after'): LogPosition {
  const bytes = CURSOR.test(cursor) ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0);
  const isOurs = bytes.toString('hex', 0, 16) === jobId.replaceAll('-', '').toLowerCase();
  const position = isOurs ? { runNo: bytes.readUInt32BE(16), lineNo: bytes.readUInt32BE(20) } : null;
  // What Postgres takes for an integer.
  if (position !== null && position.runNo < 2 ** 31 && position.lineNo < 2 ** 31) return position;
  const allowed = 'a cursor from the log of this job';
  throw new DomainError(
    'InvalidArgument',
    `${field} is ${JSON.stringify(cursor.slice(0, 80))}; allowed: ${allowed}.`,
    { field, allowed },
  );
}
