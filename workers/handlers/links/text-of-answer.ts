import type { OutgoingAnswer } from '../../../src/outgoing/outgoing.ts';

const CHARSET = /charset=["']?([a-z0-9_:.-]{1,40})/i;
/** Where a page says its charset itself: within its first kilobyte. */
const HEAD_BYTES = 1_024;

/**
 * The body of an answer as text, in the charset that its header or its own head names; UTF-8 where neither
 * names one that is known.
 */
export function textOfAnswer({ body, headers }: Pick<OutgoingAnswer, 'body' | 'headers'>): string {
  const head = Buffer.from(body.subarray(0, HEAD_BYTES)).toString('latin1');
  const name = CHARSET.exec(headers['content-type'] ?? '')?.[1] ?? CHARSET.exec(head)?.[1] ?? 'utf-8';
  return decoderOf(name).decode(body);
}

function decoderOf(name: string): TextDecoder {
  try {
    return new TextDecoder(name);
  } catch {
    return new TextDecoder();
  }
}
