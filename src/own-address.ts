import type { AddressInfo } from 'node:net';
import type { Config } from './config/config.ts';
import type { Storage } from './storage/open-storage.ts';
import { createUploadUrls, type UploadUrls } from './storage/upload-urls.ts';
import { createUrlSigner, type UrlSigner } from './storage/url-signer.ts';

/**
 * Where clients reach this server. Read at each use: with port 0 nobody knows the address before it listens.
 */
export class OwnAddress {
  #url: string;

  constructor({ publicUrl }: Pick<Config, 'publicUrl'>) {
    this.#url = publicUrl?.replace(/\/+$/, '') ?? '';
  }

  /** Without a trailing slash; '' before it is known. */
  get url(): string {
    return this.#url;
  }

  /** It is where the server listens, unless the configuration says how it is reached. */
  isAt(host: string, address: AddressInfo): void {
    if (this.#url === '') this.#url = urlOf(host, address);
  }
}

/** The URLs that clients are given. */
export interface OwnUrls {
  readonly urls: UrlSigner;
  readonly uploadUrls: UploadUrls;
}

/** @param secret what they are signed with */
export async function openOwnUrls(secret: string, storage: Storage, address: OwnAddress): Promise<OwnUrls> {
  const secrets = [new TextEncoder().encode(secret)] as const;
  const at = (path: string) => ({
    get baseUrl() {
      return `${address.url}${path}`;
    },
    secrets,
  });
  return {
    urls: await storage.urls(createUrlSigner(at('/files'))),
    uploadUrls: createUploadUrls(at('/uploads')),
  };
}

/** An address that a client on this machine can use; "any" addresses are none. */
function urlOf(host: string, { address, family, port }: AddressInfo): string {
  const isAny = address === '0.0.0.0' || address === '::';
  const name = isAny ? '127.0.0.1' : host === 'localhost' ? host : address;
  return `http://${family === 'IPv6' && !isAny && name !== 'localhost' ? `[${name}]` : name}:${port}`;
}
