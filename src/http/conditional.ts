import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { type ByteRange, resolveRange } from '../storage/byte-range.ts';
import type { ObjectStat } from '../storage/object-store.ts';

/**
 * How a GET or HEAD is answered, by its headers and the object as it is: all of it, a part, or no body at
 * all.
 */
export interface FileAnswer {
  readonly status: 200 | 206 | 304 | 416;
  readonly headers: OutgoingHttpHeaders;
  /** Only with 206. */
  readonly range: ByteRange | null;
}

/** Decides conditional and range requests (RFC 9110, sections 13 and 14). */
export function answerFor(asked: IncomingHttpHeaders, stat: ObjectStat): FileAnswer {
  const etag = etagOf(stat);
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'content-type': stat.contentType,
    'last-modified': stat.modifiedAt.toUTCString(),
  };
  if (isKnown(asked['if-none-match'], etag)) return { status: 304, headers, range: null };
  const ifRange = asked['if-range'];
  const applies = ifRange === undefined || ifRange === etag;
  const resolved = resolveRange(applies ? asked.range : undefined, stat.sizeBytes);
  if (resolved.kind === 'unsatisfiable') {
    const contentRange = `bytes */${stat.sizeBytes}`;
    return { status: 416, headers: { ...headers, 'content-range': contentRange }, range: null };
  }
  if (resolved.kind === 'whole')
    return { status: 200, headers: { ...headers, 'content-length': stat.sizeBytes }, range: null };
  const { firstByte, lastByte } = resolved.range;
  return {
    status: 206,
    headers: {
      ...headers,
      'content-length': lastByte - firstByte + 1,
      'content-range': `bytes ${firstByte}-${lastByte}/${stat.sizeBytes}`,
    },
    range: resolved.range,
  };
}

function etagOf(stat: ObjectStat): string {
  return `"${stat.sha256 ?? stat.etag ?? `${stat.sizeBytes.toString(36)}-${stat.modifiedAt.getTime().toString(36)}`}"`;
}

function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((entry) => ['*', etag, `W/${etag}`].includes(entry.trim()));
}
