import { randomBytes } from 'node:crypto';

const FINAL = 0x80;
const MASKED = 0x80;

/** What the first byte of a frame says it is. */
export const OPCODE = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 } as const;

/** One frame as a client must send it: masked. */
export function maskedFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const mask = randomBytes(4);
  const body = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; at++) body[at] = (payload[at] as number) ^ (mask[at & 3] as number);
  return Buffer.concat([headOf(opcode, length), mask, body]);
}

function headOf(opcode: number, length: number): Buffer {
  if (length < 126) return Buffer.from([FINAL | opcode, MASKED | length]);
  if (length < 65_536) {
    const head = Buffer.from([FINAL | opcode, MASKED | 126, 0, 0]);
    head.writeUInt16BE(length, 2);
    return head;
  }
  const head = Buffer.alloc(10);
  head[0] = FINAL | opcode;
  head[1] = MASKED | 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** Cuts a server's bytes into messages. Keeps nothing of the bytes it is given once `push` has returned. */
export class FrameReader {
  #rest: Buffer | null = null;
  #fragments: Buffer | null = null;
  readonly #onMessage: (opcode: number, payload: Buffer) => void;

  /** @param onMessage gets each whole message; its bytes are good until it returns */
  constructor(onMessage: (opcode: number, payload: Buffer) => void) {
    this.#onMessage = onMessage;
  }

  push(bytes: Buffer): void {
    let left = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const size = sizeOf(left);
      if (size === null || left.length < size.head + size.payload) break;
      const payload = left.subarray(size.head, size.head + size.payload);
      this.#frame(left[0] as number, payload);
      left = left.subarray(size.head + size.payload);
    }
    this.#rest = left.length === 0 ? null : Buffer.from(left);
  }

  #frame(first: number, payload: Buffer): void {
    const opcode = first & 0x0f;
    const isFinal = (first & FINAL) !== 0;
    if (opcode >= OPCODE.close || (isFinal && this.#fragments === null)) {
      this.#onMessage(opcode, payload);
      return;
    }
    const whole = Buffer.concat([this.#fragments ?? Buffer.alloc(0), payload]);
    this.#fragments = isFinal ? null : whole;
    if (isFinal) this.#onMessage(OPCODE.text, whole);
  }
}

/** Bytes of head and payload; null while the head is not there yet. */
function sizeOf(bytes: Buffer): { readonly head: number; readonly payload: number } | null {
  if (bytes.length < 2) return null;
  const length = (bytes[1] as number) & 0x7f;
  if (length < 126) return { head: 2, payload: length };
  if (length === 126) return bytes.length < 4 ? null : { head: 4, payload: bytes.readUInt16BE(2) };
  return bytes.length < 10 ? null : { head: 10, payload: Number(bytes.readBigUInt64BE(2)) };
}
