/** A range of bytes with both ends included, as in HTTP. */
export interface ByteRange {
  readonly firstByte: number;
  readonly lastByte: number;
}

/** How a request's `Range` header applies to an object. */
export type RangeResolution =
  | { readonly kind: 'whole' }
  | { readonly kind: 'partial'; readonly range: ByteRange }
  | { readonly kind: 'unsatisfiable' };

const SINGLE_RANGE = /^bytes=(\d{0,16})-(\d{0,16})$/i;

/**
 * Applies an HTTP `Range` header to an object of `sizeBytes` (RFC 9110, section 14): one range is honoured;
 * what is malformed, of another unit or a list of ranges is ignored and the whole object is sent, as the RFC
 * permits.
 */
export function resolveRange(header: string | undefined, sizeBytes: number): RangeResolution {
  const match = header === undefined ? null : SINGLE_RANGE.exec(header.replaceAll(' ', ''));
  if (match === null) return { kind: 'whole' };
  const first = match[1] ?? '';
  const last = match[2] ?? '';
  if (first === '' && last === '') return { kind: 'whole' };
  if (first === '') return suffix(Number(last), sizeBytes);
  if (last !== '' && Number(last) < Number(first)) return { kind: 'whole' };
  if (Number(first) >= sizeBytes) return { kind: 'unsatisfiable' };
  const lastByte = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return { kind: 'partial', range: { firstByte: Number(first), lastByte } };
}

/** `bytes=-500`: the last 500 bytes. */
function suffix(lengthBytes: number, sizeBytes: number): RangeResolution {
  if (lengthBytes === 0 || sizeBytes === 0) return { kind: 'unsatisfiable' };
  return {
    kind: 'partial',
    range: { firstByte: Math.max(0, sizeBytes - lengthBytes), lastByte: sizeBytes - 1 },
  };
}
