import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../core/errors.ts';

export const TUS_VERSION = '1.0.0';
export const TUS_EXTENSIONS = 'creation,creation-with-upload,expiration,termination';
export const PIECE_TYPE = 'application/offset+octet-stream';

const MAX_METADATA_LENGTH = 4096;
/** Names and base64, as the protocol writes them; a name may stand alone. */
const METADATA_PATTERN =
  /^[\x21-\x2b\x2d-\x7e]+( [A-Za-z0-9+/]*={0,2})?(,\s*[\x21-\x2b\x2d-\x7e]+( [A-Za-z0-9+/]*={0,2})?)*$/;

/** A header with a number of bytes. @throws DomainError `InvalidArgument` where it is missing or none */
export function bytesHeader(headers: IncomingHttpHeaders, name: string, leastBytes: number): number {
  const text = headers[name];
  const value = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= leastBytes) return value;
  throw refused(name, text, `a whole number of bytes, at least ${leastBytes}`);
}

/** What `Content-Length` says, null where there is none. */
export function lengthOf(headers: IncomingHttpHeaders): number | null {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : null;
}

/** `Upload-Metadata` as it came, empty where there is none. @throws DomainError `InvalidArgument` */
export function metadataOf(headers: IncomingHttpHeaders): string {
  const metadata = headers['upload-metadata'];
  if (metadata === undefined || metadata === '') return '';
  if (
    typeof metadata === 'string' &&
    metadata.length <= MAX_METADATA_LENGTH &&
    METADATA_PATTERN.test(metadata)
  )
    return metadata;
  throw refused(
    'upload-metadata',
    metadata,
    `at most ${MAX_METADATA_LENGTH} characters of pairs: a name, a space, base64; with commas between them`,
  );
}

function refused(name: string, value: unknown, allowed: string): DomainError {
  const shown = value === undefined ? 'missing' : JSON.stringify(value).slice(0, 80);
  return new DomainError('InvalidArgument', `${name} is ${shown}; allowed: ${allowed}.`, {
    field: name,
    allowed,
  });
}
