const TEXT_FRAME = 0x81;

let lastId = '';
let lastText = '';
let lastFrame: Buffer = Buffer.alloc(0);

/**
 * The bytes of a whole WebSocket frame with a `next` message. Clients of one kind often use one operation id,
 * so the last is worth remembering.
 */
export function nextFrame(operationId: string, text: string): Buffer {
  if (operationId === lastId && text === lastText) return lastFrame;
  const message = `{"id":${JSON.stringify(operationId)},"type":"next","payload":${text}}`;
  const sizeBytes = Buffer.byteLength(message);
  const headBytes = sizeBytes < 126 ? 2 : sizeBytes < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headBytes + sizeBytes);
  frame[0] = TEXT_FRAME;
  if (headBytes === 2) frame[1] = sizeBytes;
  else if (headBytes === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(sizeBytes, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(sizeBytes), 2);
  }
  frame.write(message, headBytes);
  [lastId, lastText, lastFrame] = [operationId, text, frame];
  return frame;
}
