import type { Readable } from 'node:stream';
import type { ByteRange } from './byte-range.ts';

/** What is known of a stored object without reading it. */
export interface ObjectStat {
  readonly key: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly modifiedAt: Date;
  /** Lower-case hex; absent where the driver doesn't know it (files placed in the store by other means). */
  readonly sha256?: string;
  /** Differs whenever the bytes do; absent where the driver has none. Without the quotes of HTTP. */
  readonly etag?: string;
}

/** What a listing reports of an object. */
export type ListedObject = Pick<ObjectStat, 'key' | 'sizeBytes' | 'modifiedAt'>;

/** A name among the objects that is none of an object, and why. */
export interface RefusedName {
  readonly name: string;
  readonly reason: string;
}

export interface ListOptions {
  /**
   * Called with each name that is passed over: what others have put there, in a way that no driver could
   * hold.
   */
  readonly onRefused?: (refused: RefusedName) => void;
}

/** What a put wrote. */
export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
  /** Lower-case hex, computed on the way. */
  readonly sha256: string;
  readonly contentType: string;
}

/**
 * Where a put takes its bytes: a local file, or a stream that it reads to the end (and destroys on failure).
 */
export type PutSource = { readonly path: string } | { readonly stream: Readable };

export interface PutOptions {
  /** Default: by the key's extension, else `application/octet-stream`. */
  readonly contentType?: string;
  /** One byte more ends the put with `ObjectTooLarge` and leaves nothing behind. Default: no limit. */
  readonly maxSizeBytes?: number;
  /** Ends the put with the signal's reason and leaves nothing behind. */
  readonly signal?: AbortSignal;
  /**
   * Called once every byte is there, to give the object its name by calling `publish` (a second call does
   * nothing): for a check that must hold at that very moment, under a lock. Throwing instead ends the put
   * with that error, and leaves the old object as it was and nothing of the new one.
   */
  readonly publishing?: (publish: () => Promise<void>) => Promise<void>;
}

export interface GetOptions {
  /**
   * Which bytes, both ends included; must lie within the object (see `resolveRange`). A function chooses them
   * by the very object that is read; null is all of it. Default: all.
   */
  readonly range?: ByteRange | ((stat: ObjectStat) => ByteRange | null);
  readonly signal?: AbortSignal;
}

export interface ObjectBody {
  readonly stat: ObjectStat;
  /** Bytes that the stream will give: the range's, or the whole size. */
  readonly contentLengthBytes: number;
  readonly stream: Readable;
}

/**
 * Objects by key. A store that does not answer is DomainError `StorageUnavailable`; one that refuses us
 * (wrong keys, missing permissions, no such bucket) is PermanentError `StorageDenied`, as no retry fixes
 * that. Every method refuses a malformed key with DomainError `InvalidKey` before it touches anything. A put
 * is atomic: readers see the old object or the whole new one, never a part; of two puts at once the last
 * wins.
 */
export interface ObjectStore {
  /**
   * @throws DomainError `ObjectTooLarge`, `InvalidKey` (also, in a folder, when the key runs through another
   *   object's name);
   * what `publishing` throws
   */
  put(key: string, source: PutSource, options?: PutOptions): Promise<StoredObject>;
  /** @throws DomainError `ObjectNotFound`, `InvalidArgument` for a range outside the object */
  get(key: string, options?: GetOptions): Promise<ObjectBody>;
  /** Null when there is no such object. */
  stat(key: string): Promise<ObjectStat | null>;
  /** Returns whether there was something to delete; deleting what is not there is no error. */
  delete(key: string): Promise<boolean>;
  /**
   * Objects whose key begins with `prefix` (empty, or ending in `/`), in ascending byte order of their keys.
   */
  list(prefix: string, options?: ListOptions): AsyncIterable<ListedObject>;
  /**
   * Writes the object to a local file (which must not exist yet) and verifies the size.
   * @throws DomainError `ObjectNotFound`
   */
  copyToFile(key: string, path: string, options?: { readonly signal?: AbortSignal }): Promise<ObjectStat>;
  /**
   * Only of drivers that keep objects as files on this machine: the object's path, for reading in place.
   * Callers fall back to `copyToFile` when the method is absent.
   * @throws DomainError `ObjectNotFound`
   */
  localPath?(key: string): Promise<string>;
  /** Only of drivers that hold connections: closes them. */
  close?(): void;
}
