import { randomBytes } from 'node:crypto';

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A frame as a client may send it, right or wrong. */
export function frame(
  opcode: number,
  content: Buffer | string,
  { isFinal = true, isMasked = true }: { readonly isFinal?: boolean; readonly isMasked?: boolean } = {},
): Buffer {
  const payload = Buffer.from(content as string);
  const head = headOf((isFinal ? 0x80 : 0) | opcode, payload.length, isMasked ? 0x80 : 0);
  if (!isMasked) return Buffer.concat([head, payload]);
  const key = randomBytes(4);
  const masked = payload.map((byte, index) => byte ^ (key[index & 3] as number));
  return Buffer.concat([head, key, masked]);
}

function headOf(first: number, length: number, mask: number): Buffer {
  if (length < 126) return Buffer.from([first, mask | length]);
  if (length < 65_536) return Buffer.from([first, mask | 126, length >> 8, length & 255]);
  const head = Buffer.alloc(10);
  head.set([first, mask | 127]);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** A frame that a server sent. */
export interface Received {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly payload: Buffer;
}

/** Takes the whole frames off the front. */
export function takeFrames(bytes: Buffer): { readonly frames: readonly Received[]; readonly rest: Buffer } {
  const frames: Received[] = [];
  let rest = bytes;
  for (;;) {
    const size = sizeOf(rest);
    if (size === null || rest.length < size.head + size.payload) return { frames, rest };
    frames.push({
      opcode: (rest[0] as number) & 15,
      isFinal: ((rest[0] as number) & 0x80) !== 0,
      payload: Buffer.from(rest.subarray(size.head, size.head + size.payload)),
    });
    rest = rest.subarray(size.head + size.payload);
  }
}

function sizeOf(bytes: Buffer): { readonly head: number; readonly payload: number } | null {
  if (bytes.length < 2) return null;
  const length = (bytes[1] as number) & 127;
  if (length < 126) return { head: 2, payload: length };
  if (length === 126) return bytes.length < 4 ? null : { head: 4, payload: bytes.readUInt16BE(2) };
  return bytes.length < 10 ? null : { head: 10, payload: Number(bytes.readBigUInt64BE(2)) };
}
