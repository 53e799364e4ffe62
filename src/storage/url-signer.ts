import { DomainError } from '../core/errors.ts';
import {
  encodeFileToken,
  type FileGrant,
  type FileRequest,
  type TokenVerdict,
  verifyFileToken,
} from './file-token.ts';
import { checkKeyPrefix, checkObjectKey } from './object-key.ts';
import { checkExpiry, type SignedReadOptions, urlTimes } from './url-times.ts';
import { textTrackKey } from './video-keys.ts';

/** A URL that carries its own permission, and how to use it. */
export interface SignedUrl {
  readonly method: 'GET' | 'PUT';
  readonly url: string;
  /** Headers the client must send with it. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Until when to use it. What can be played goes on for the time that `playSeconds` gave it, so that what is
   * opened before this time can be played to its end.
   */
  readonly expiresAt: Date;
}

export interface SignedPutOptions {
  readonly maxSizeBytes: number;
  /** The file's exact size, where it is known: a bucket can hold a client to that, but to no other limit. */
  readonly sizeBytes?: number;
  /** The client must send exactly this type. Default: any. */
  readonly contentType?: string;
  readonly expiresInSeconds: number;
}

export interface SignedGetOptions extends SignedReadOptions {
  /**
   * The name under which a browser saves the file; `fileNameOf` makes it. By default the last part of the
   * URL.
   */
  readonly fileName?: string;
  /**
   * The type that a bucket serves it as, whatever was stored with it: by default that of the key's extension.
   * Our own server serves the stored type, in a sandbox.
   */
  readonly contentType?: string;
}

export interface VideoPart {
  readonly startMs: number;
  readonly endMs: number;
}

/** Whose texts a track shows. */
export interface TextTrackOwner {
  readonly tenantId: string;
  readonly videoId: string;
}

/**
 * Makes URLs for the objects of a store. Asynchronous, since an S3 driver's presigned URLs come from its
 * client, which may have to fetch credentials. S3 cannot sign a prefix: there `getBelow` stays a URL of ours
 * that redirects, and so do `getPart` and `getTextTrack`, whose answers are made by our server.
 */
export interface ObjectUrls {
  /** The largest file that one `put` takes; absent where there is no such limit. */
  readonly maxPutBytes?: number;
  /**
   * Reading one object. For a while the same call gives the same URL, see `SignedReadOptions`; so do the
   * others that read.
   */
  get(key: string, options: SignedGetOptions): Promise<SignedUrl>;
  /**
   * Reading `key` and everything else below `prefix` by names relative to it: the token stands before the key
   * in the path, so a playlist's relative segment names resolve to URLs with the same token.
   * @throws DomainError `InvalidKey` when the key is not below the prefix
   */
  getBelow(prefix: string, key: string, options: SignedReadOptions): Promise<SignedUrl>;
  /**
   * Reading of an HLS playlist what shows a part of the video: a playlist of those segments alone, each under
   * a URL of its own, so that its holder gets no more of the video than that.
   * @param part milliseconds from the start of the video
   */
  getPart(key: string, part: VideoPart, options: SignedReadOptions): Promise<SignedUrl>;
  /** Reading the texts of a video as a WebVTT track, made again from the database at each request. */
  getTextTrack(owner: TextTrackOwner, options: SignedReadOptions): Promise<SignedUrl>;
  /** Writing one object. */
  put(key: string, options: SignedPutOptions): Promise<SignedUrl>;
}

/**
 * The URLs of an installation's objects, and the judge of the tokens in those of them that lead to our own
 * server.
 */
export interface UrlSigner extends ObjectUrls {
  /** Judges the token of `/files/<token>/<key>`. */
  verify(token: string, request: FileRequest): TokenVerdict;
  /**
   * Where the store itself gives an object away, for a redirect from one of our URLs. Absent where our server
   * is the only way to it.
   */
  direct?(key: string, options: SignedReadOptions): Promise<SignedUrl>;
}

export interface UrlSignerOptions {
  /** Where the server's `/files/` is found, e.g. `http://127.0.0.1:4000/files`; without a trailing slash. */
  readonly baseUrl: string;
  /** The first signs, all verify. Each at least 16 bytes. */
  readonly secrets: readonly [Uint8Array, ...Uint8Array[]];
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly nowMs?: () => number;
}

/** A key as the path of a URL has it. */
function pathOf(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/');
}

/** Makes a signer. @throws DomainError `ConfigInvalid` for a secret that is too short */
export function createUrlSigner(options: UrlSignerOptions): UrlSigner {
  if (options.secrets.some((secret) => secret.length < 16)) {
    throw new DomainError('ConfigInvalid', 'A secret for signed URLs is shorter than 16 bytes', {
      allowed: 'at least 16 bytes',
    });
  }
  const nowMs = options.nowMs ?? Date.now;

  const sign = (grant: FileGrant, key: string, endsAtSeconds: number) => ({
    method: grant.action === 'put' ? ('PUT' as const) : ('GET' as const),
    url: `${options.baseUrl}/${encodeFileToken(grant, endsAtSeconds, options.secrets[0])}/${pathOf(key)}`,
    headers: {},
  });
  /** @param about what the URL is for: only URLs for the same share their times */
  const signRead = (grant: FileGrant, key: string, about: string, read: SignedReadOptions): SignedUrl => {
    const { endsAtSeconds, expiresAt } = urlTimes(about, read, nowMs());
    return { ...sign(grant, key, endsAtSeconds), expiresAt };
  };

  return {
    async get(key, { fileName = null, contentType: _, ...read }) {
      return signRead({ action: 'get', key: checkObjectKey(key), fileName }, key, key, read);
    },
    async getBelow(prefix, key, read) {
      checkObjectKey(key);
      if (checkKeyPrefix(prefix) === '' || !key.startsWith(prefix)) {
        throw new DomainError(
          'InvalidKey',
          `Object key ${JSON.stringify(key)} is not below ${JSON.stringify(prefix)}`,
          {
            field: 'key',
            allowed: 'a key below a non-empty prefix',
          },
        );
      }
      return signRead({ action: 'getPrefix', prefix }, key, prefix, read);
    },
    async getPart(key, { startMs, endMs }, read) {
      return signRead({ action: 'getPart', key: checkObjectKey(key), startMs, endMs }, key, key, read);
    },
    async getTextTrack({ tenantId, videoId }, read) {
      const key = textTrackKey(videoId);
      return signRead({ action: 'getTextTrack', key, tenantId }, key, key, read);
    },
    async put(key, { maxSizeBytes, contentType, expiresInSeconds }) {
      checkObjectKey(key);
      const grant: FileGrant = { action: 'put', key, maxSizeBytes, contentType: contentType ?? null };
      // An upload is begun once, with all of its time ahead: nobody asks for the same URL again.
      const endsAtSeconds = Math.ceil(nowMs() / 1000) + checkExpiry(expiresInSeconds);
      const headers: Record<string, string> =
        contentType === undefined ? {} : { 'content-type': contentType };
      return { ...sign(grant, key, endsAtSeconds), headers, expiresAt: new Date(endsAtSeconds * 1000) };
    },
    verify: (token, request) => verifyFileToken(token, request, options.secrets, nowMs()),
  };
}
