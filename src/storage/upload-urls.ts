import {
  encodeUploadToken,
  type UploadGrant,
  type UploadVerdict,
  verifyUploadToken,
} from './upload-token.ts';
import { checkExpiry } from './url-times.ts';

/** A URL of a resumable upload, and until when it is good. */
export interface UploadUrl {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Makes and judges the URLs of resumable uploads. They lead to our own server, whatever the store is. */
export interface UploadUrls {
  sign(grant: UploadGrant, expiresInSeconds: number): UploadUrl;
  /** Judges the token of `/uploads/<token>`. */
  verify<A extends UploadGrant['action']>(token: string, action: A): UploadVerdict<A>;
}

export interface UploadUrlsOptions {
  /** Where the server's `/uploads/` is found, without a trailing slash. Read at each signing. */
  readonly baseUrl: string;
  /** The first signs, all verify. */
  readonly secrets: readonly [Uint8Array, ...Uint8Array[]];
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly nowMs?: () => number;
}

export function createUploadUrls(options: UploadUrlsOptions): UploadUrls {
  const nowMs = options.nowMs ?? Date.now;
  return {
    sign: (grant, expiresInSeconds) => {
      const expiresAtSeconds = Math.ceil(nowMs() / 1000) + checkExpiry(expiresInSeconds);
      const token = encodeUploadToken(grant, expiresAtSeconds, options.secrets[0]);
      return { url: `${options.baseUrl}/${token}`, expiresAt: new Date(expiresAtSeconds * 1000) };
    },
    verify: (token, action) => verifyUploadToken(token, action, options.secrets, nowMs()),
  };
}
