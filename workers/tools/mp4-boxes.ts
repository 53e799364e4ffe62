import { open } from 'node:fs/promises';

/** A part of an MP4 (ISO/IEC 14496-12, section 4.2): its type and what is in it. */
export interface Mp4Box {
  readonly type: string;
  readonly body: Buffer;
}

/** An MP4's index. */
export interface Moov {
  readonly body: Buffer;
  /** It stands before the pictures, so that the file plays while it is being fetched. */
  readonly isInFront: boolean;
}

/** On the top level; a fragmented file has many more, and no index of its pictures. */
const MAX_BOXES = 64;
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/**
 * The boxes in a box, in their order.
 * @throws RangeError when one is longer than what holds it
 */
export function* boxesIn(container: Buffer): Generator<Mp4Box> {
  for (let at = 0; at + 8 <= container.length; ) {
    const { sizeBytes, headBytes } = sizeOf(container.subarray(at));
    if (sizeBytes < headBytes || at + sizeBytes > container.length)
      throw new RangeError('A box of the MP4 is longer than what holds it');
    const type = container.toString('latin1', at + 4, at + 8);
    yield { type, body: container.subarray(at + headBytes, at + sizeBytes) };
    at += sizeBytes;
  }
}

/**
 * What is in a box in a box, the first of each type on the way; undefined where there is none.
 * @throws RangeError as `boxesIn`
 */
export function boxAt(container: Buffer, ...path: readonly string[]): Buffer | undefined {
  const [type, ...rest] = path;
  if (type === undefined) return container;
  for (const box of boxesIn(container)) if (box.type === type) return boxAt(box.body, ...rest);
  return undefined;
}

/** Reads the index of a local MP4; null where there is no whole one of ordinary size. */
export async function readMoov(path: string): Promise<Moov | null> {
  await using file = await open(path, 'r');
  const head = Buffer.alloc(16);
  let isInFront = true;
  for (let at = 0, count = 0; count < MAX_BOXES; count++) {
    if ((await file.read(head, 0, 16, at)).bytesRead < 8) return null;
    const { sizeBytes, headBytes } = sizeOf(head);
    // One of 64 bits may say more than any file has, and than can be read at.
    if (sizeBytes < headBytes || !Number.isSafeInteger(at + sizeBytes)) return null;
    const type = head.toString('latin1', 4, 8);
    if (type === 'moov') {
      if (sizeBytes > MAX_INDEX_BYTES) return null;
      const body = Buffer.alloc(sizeBytes - headBytes);
      const { bytesRead } = await file.read(body, 0, body.length, at + headBytes);
      return bytesRead === body.length ? { body, isInFront } : null;
    }
    if (type === 'mdat') isInFront = false;
    at += sizeBytes;
  }
  return null;
}

/** A size of 1 stands for one of 64 bits behind the type; of 0, up to the end, there is none of ours. */
function sizeOf(head: Buffer): { readonly sizeBytes: number; readonly headBytes: number } {
  const sizeBytes = head.readUInt32BE(0);
  if (sizeBytes !== 1 || head.length < 16) return { sizeBytes, headBytes: 8 };
  return { sizeBytes: Number(head.readBigUInt64BE(8)), headBytes: 16 };
}
