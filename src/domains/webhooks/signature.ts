import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 24;

/** A new secret in the form of Standard Webhooks: `whsec_` and 192 random bits in Base64. */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * The key in a secret: of one in the form of Standard Webhooks the bytes behind its prefix, of another its
 * text.
 */
function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
}

/** What a message is signed with. */
export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string | Buffer;
}

/** The header `webhook-signature` of Standard Webhooks: a signature for each secret, with spaces between. */
export function signatureHeader(secrets: readonly string[], message: SignedMessage): string {
  return secrets.map((secret) => `v1,${standardSignature(secret, message)}`).join(' ');
}

/** Whether one of the signatures in the header was made with one of the secrets. */
export function isSignedByStandard(
  secrets: readonly string[],
  message: SignedMessage,
  header: string,
): boolean {
  const given = header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => part.slice(3));
  const expected = secrets.map((secret) => standardSignature(secret, message));
  return given.slice(0, 10).some((signature) => expected.some((own) => isEqual(own, signature)));
}

/** Whether the header `X-Hub-Signature-256` (`sha256=` and hex) was made with one of the secrets. */
export function isSignedByGithub(secrets: readonly string[], body: Buffer, header: string): boolean {
  return secrets.some((secret) =>
    isEqual(
      `sha256=${createHmac('sha256', Buffer.from(secret)).update(body).digest('hex')}`,
      header.toLowerCase(),
    ),
  );
}

function standardSignature(secret: string, { id, timestamp, body }: SignedMessage): string {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

/** In a time that does not depend on where they differ. */
export function isEqual(own: string, given: string): boolean {
  const [one, other] = [Buffer.from(own), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
