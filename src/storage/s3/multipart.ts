import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { addressOf, type S3Place } from './client.ts';
import { asking } from './failures.ts';
import type { Part } from './parts.ts';

/**
 * Parts under way at once: enough for the next to be read while others are sent, few enough for many puts
 * side by side.
 */
const PARTS_AT_ONCE = 3;

export interface MultipartUpload {
  readonly key: string;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends the parts of an object. It is not there before the returned function is called; if that never
 * happens, or anything fails before, `abandon` has to be called, since a bucket keeps (and charges for) the
 * parts of unfinished uploads.
 */
export class MultipartPut {
  readonly #place: S3Place;
  readonly #upload: MultipartUpload;
  readonly #uploadId: string;
  readonly #sent: CompletedPart[] = [];
  readonly #underWay = new Set<Promise<void>>();
  readonly #failed = new AbortController();

  private constructor(place: S3Place, upload: MultipartUpload, uploadId: string) {
    this.#place = place;
    this.#upload = upload;
    this.#uploadId = uploadId;
  }

  static async begin(place: S3Place, upload: MultipartUpload): Promise<MultipartPut> {
    const { key, contentType, metadata, signal } = upload;
    const { UploadId } = await asking(`begin the upload of ${JSON.stringify(key)}`, signal, () =>
      place.client.send(
        new CreateMultipartUploadCommand({
          ...addressOf(place, key),
          ContentType: contentType,
          Metadata: { ...metadata },
        }),
        signal && { abortSignal: signal },
      ),
    );
    if (UploadId === undefined) throw new Error('The object store began an upload without an id');
    return new MultipartPut(place, upload, UploadId);
  }

  /** Sends a part; resolves when there is room for another one. @throws what an earlier part failed with */
  async send(number: number, { bytes }: Part): Promise<void> {
    this.#failed.signal.throwIfAborted();
    const sending = this.#sendPart(number, bytes)
      .catch((error: unknown) => this.#failed.abort(error))
      .finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
    if (this.#underWay.size >= PARTS_AT_ONCE) await Promise.race(this.#underWay);
  }

  /** Waits for the parts under way. @throws what one of them failed with */
  async allSent(): Promise<void> {
    await Promise.all(this.#underWay);
    this.#failed.signal.throwIfAborted();
  }

  /** Makes the object of its parts. */
  async complete(): Promise<void> {
    const { key, signal } = this.#upload;
    const parts = this.#sent.toSorted((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0));
    await asking(`complete the upload of ${JSON.stringify(key)}`, signal, () =>
      this.#place.client.send(
        new CompleteMultipartUploadCommand({
          ...addressOf(this.#place, key),
          UploadId: this.#uploadId,
          MultipartUpload: { Parts: parts },
        }),
        signal && { abortSignal: signal },
      ),
    );
  }

  /**
   * Gives the parts up. Never throws: whatever made us do so is the error to report, and the bucket's own
   * rule is the last resort.
   */
  async abandon(): Promise<void> {
    this.#failed.abort(new Error('the upload is given up'));
    await Promise.all(this.#underWay);
    // Not with the put's own signal, which may be why we are here.
    await this.#place.client
      .send(
        new AbortMultipartUploadCommand({
          ...addressOf(this.#place, this.#upload.key),
          UploadId: this.#uploadId,
        }),
      )
      .catch(() => undefined);
  }

  async #sendPart(number: number, bytes: Buffer): Promise<void> {
    const { key, signal } = this.#upload;
    const either = AbortSignal.any([this.#failed.signal, ...(signal === undefined ? [] : [signal])]);
    const { ETag } = await asking(`take part ${number} of ${JSON.stringify(key)}`, either, () =>
      this.#place.client.send(
        new UploadPartCommand({
          ...addressOf(this.#place, key),
          UploadId: this.#uploadId,
          PartNumber: number,
          Body: bytes,
        }),
        { abortSignal: either },
      ),
    );
    this.#sent.push({ PartNumber: number, ...(ETag !== undefined && { ETag }) });
  }
}
