import { refusedCursor, tagOf } from './list-cursor.ts';

/** Where a file stands among those that a job made. */
export interface ArtifactPlace {
  readonly kind: string;
  readonly key: string;
}

const TAG_BYTES = 4;
/** A kind and a key are at most 64 and 1,024 bytes. */
const CURSOR = /^[A-Za-z0-9_-]{8,1600}$/;
const listOf = (jobId: string): string => `artifacts/${jobId.toLowerCase()}`;

/** An opaque text that stands for a file's place among those of one job. */
export function artifactCursor(jobId: string, { kind, key }: ArtifactPlace): string {
  return Buffer.concat([tagOf(listOf(jobId)), Buffer.from(`${kind}\n${key}`)]).toString('base64url');
}

/** @throws DomainError `InvalidArgument` naming `after`, for what is no cursor, or that of another job */
export function placeOfArtifact(jobId: string, cursor: string): ArtifactPlace {
  const bytes = CURSOR.test(cursor) ? Buffer.from(cursor, 'base64url') : null;
  if (bytes?.subarray(0, TAG_BYTES).equals(tagOf(listOf(jobId)))) {
    const [kind = '', ...key] = bytes.toString('utf8', TAG_BYTES).split('\n');
    const place = { kind, key: key.join('\n') };
    if (!place.key.includes('\0') && !kind.includes('\0') && artifactCursor(jobId, place) === cursor)
      return place;
  }
  throw refusedCursor('after', cursor);
}
