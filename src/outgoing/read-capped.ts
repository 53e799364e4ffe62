import type { Response } from 'undici';
import { OutgoingError } from './outgoing-error.ts';

/** A body, as far as it was read. */
export interface CappedBody {
  readonly body: Uint8Array;
  /** Whether the server had more. */
  readonly truncated: boolean;
}

/**
 * Reads a body up to a size, counted after decompression, so that a small compressed answer cannot become a
 * large one.
 * @param host for the error
 * @throws OutgoingError `TooLarge` unless `truncate`
 */
export async function readCapped(
  response: Response,
  maxBytes: number,
  truncate: boolean,
  host: string,
): Promise<CappedBody> {
  const tooLarge = () =>
    new OutgoingError('TooLarge', `The answer of ${host} has more than ${maxBytes} bytes`);
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (!truncate && announced > maxBytes) {
    await discard(response);
    throw tooLarge();
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const room = maxBytes - size;
    const bytes = chunk as Uint8Array;
    chunks.push(bytes.length > room ? bytes.subarray(0, room) : bytes);
    size += bytes.length;
    if (size <= maxBytes) continue;
    // Leaving the loop cancels the body, which closes the connection.
    if (!truncate) throw tooLarge();
    return { body: Buffer.concat(chunks), truncated: true };
  }
  return { body: Buffer.concat(chunks), truncated: false };
}

/** Closes an answer whose body nobody wants. */
export async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}
