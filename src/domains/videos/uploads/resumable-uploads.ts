import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, toError } from '../../../core/errors.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { contentTypeOfKey } from '../../../storage/content-type.ts';
import type { PartialPlan } from '../../../storage/partial-store.ts';
import type { Logger } from '../../../telemetry/log.ts';
import { deleteUploads } from '../sql/delete-uploads.ts';
import { findResumableUpload, type ResumableUploadRow } from '../sql/find-resumable-upload.ts';
import { wantUpload } from '../sql/want-upload.ts';
import { findUpload, publishUpload } from './accept-upload.ts';
import { completeOriginal } from './complete-video-upload.ts';
import { PieceSource } from './piece-source.ts';
import { noUpload, tooLarge, uploadLocked } from './upload-errors.ts';
import { HOLD_SECONDS, UploadHold } from './upload-hold.ts';

/** How far an upload is. */
export interface UploadView {
  readonly offsetBytes: number;
  readonly sizeBytes: number;
  readonly metadata: string;
  readonly expiresAt: Date;
}

export interface UploadPiece {
  /** Where it begins, as the client believes. */
  readonly offsetBytes: number;
  /** Null where the client does not say. */
  readonly lengthBytes: number | null;
  readonly body: Readable;
}

/** `mismatch`: the piece begins elsewhere than the upload ends; nothing was taken. */
export type PieceResult = UploadView & { readonly kind: 'taken' | 'mismatch' };

interface Running {
  /** Takes no more bytes; what is there is kept. */
  stop(why: Error): void;
  readonly ended: Promise<void>;
}

const LOOK_AGAIN_MS = 200;

/**
 * Originals that come in pieces, each by a request of its own, to any process. The last piece publishes the
 * original as a put does and completes the video's upload, so that a client may leave right after its last
 * byte.
 */
export class ResumableUploads {
  readonly #deps: JobsDeps;
  readonly #log: Logger;
  readonly #running = new Map<string, Running>();

  constructor(deps: JobsDeps, log: Logger) {
    this.#deps = deps;
    this.#log = log;
  }

  /**
   * How far an upload is, for a client that wants to go on. A request that still adds to it is ended first:
   * it is what is left of a connection that broke.
   * @throws DomainError `NotFound` `WrongState` `Busy`
   */
  async look(uploadId: string): Promise<UploadView> {
    const upload = await this.#find(uploadId);
    if (upload.completed_at !== null) return viewOf(upload, sizeOf(upload));
    const hold = await this.#takeOver(uploadId);
    // It has ended while we waited.
    if (hold === null) return viewOf(upload, sizeOf(upload));
    let isComplete = false;
    try {
      const offsetBytes = await this.#deps.partials.sizeOf(hold.state);
      if (offsetBytes !== null && offsetBytes < sizeOf(upload)) return viewOf(upload, offsetBytes);
      // All is there, and the process that took the last piece died before it reported that.
      await this.#publish(upload, hold);
      isComplete = true;
    } finally {
      await hold.release(isComplete);
    }
    await this.#complete(upload);
    return viewOf(upload, sizeOf(upload));
  }

  /**
   * Takes a piece in. What came of one that is cut off is kept.
   * @throws DomainError `NotFound` `WrongState` `Busy` `ObjectTooLarge`; what the body fails with
   */
  async append(uploadId: string, piece: UploadPiece): Promise<PieceResult> {
    const upload = await this.#find(uploadId);
    const sizeBytes = sizeOf(upload);
    if (upload.completed_at !== null) return { kind: 'mismatch', ...viewOf(upload, sizeBytes) };
    await findUpload(this.#deps, upload.original_key);
    const source = new PieceSource(piece.body);
    const hold = await UploadHold.take(this.#deps.db, uploadId, () => source.stop(superseded()));
    if (hold === null) throw uploadLocked();
    const running = Promise.withResolvers<void>();
    this.#running.set(uploadId, { stop: (why) => source.stop(why), ended: running.promise });
    let isComplete = false;
    let offsetBytes: number;
    try {
      const before = await this.#deps.partials.sizeOf(hold.state);
      if (before === null) throw noUpload();
      if (before !== piece.offsetBytes) return { kind: 'mismatch', ...viewOf(upload, before) };
      const leftBytes = sizeBytes - before;
      if ((piece.lengthBytes ?? 0) > leftBytes) throw tooLarge('content-length', leftBytes);
      const options = { save: (state: object) => hold.save({ ...state }), signal: hold.signal };
      offsetBytes = await this.#deps.partials.append(
        planOf(upload),
        hold.state,
        source.take(leftBytes),
        options,
      );
      if (offsetBytes === sizeBytes) {
        await this.#publish(upload, hold);
        isComplete = true;
      }
    } finally {
      await hold.release(isComplete).finally(() => {
        this.#running.delete(uploadId);
        running.resolve();
      });
    }
    if (isComplete) await this.#complete(upload);
    if (source.failure !== null) throw source.failure;
    return { kind: 'taken', ...viewOf(upload, offsetBytes) };
  }

  /** Gives an upload up. @throws DomainError `NotFound` `WrongState` `Busy` */
  async terminate(uploadId: string): Promise<void> {
    const upload = await this.#find(uploadId);
    const hold = upload.completed_at === null ? await this.#takeOver(uploadId) : null;
    if (hold === null)
      throw new DomainError('WrongState', 'This upload has ended already; its original is not given up.', {
        allowed: 'an upload that has not ended',
      });
    try {
      await this.#deps.partials.discard(planOf(upload), hold.state);
    } finally {
      await hold.release(false);
    }
    await this.#deps.db.asWorker(deleteUploads, [[uploadId]]);
  }

  /** This process stops: requests that add to uploads end now, and their clients go on elsewhere. */
  stopAll(): void {
    for (const running of this.#running.values())
      running.stop(new DomainError('Busy', 'This server is stopping; go on with the upload in a moment.'));
  }

  async #find(uploadId: string): Promise<ResumableUploadRow> {
    const { rows } = await this.#deps.db.asWorker<ResumableUploadRow>(findResumableUpload, [uploadId]);
    if (rows[0] === undefined) throw noUpload();
    return rows[0];
  }

  /** @returns null when the upload has ended meanwhile */
  async #takeOver(uploadId: string): Promise<UploadHold | null> {
    const { db } = this.#deps;
    const untilMs = performance.now() + (HOLD_SECONDS + 2) * 1_000;
    for (;;) {
      const running = this.#running.get(uploadId);
      running?.stop(superseded());
      await running?.ended;
      const hold = await UploadHold.take(db, uploadId, () => undefined);
      if (hold !== null) return hold;
      if ((await this.#find(uploadId)).completed_at !== null) return null;
      if (performance.now() > untilMs) throw uploadLocked();
      await db.asWorker(wantUpload, [uploadId]);
      await sleep(LOOK_AGAIN_MS);
    }
  }

  async #publish(upload: ResumableUploadRow, hold: UploadHold): Promise<void> {
    const { partials, store } = this.#deps;
    const target = { tenantId: upload.tenant_id, videoId: upload.video_id };
    try {
      await publishUpload(this.#deps, target, () => partials.publish(planOf(upload), hold.state));
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'WrongState')) throw error;
      // Ours has become the original, and a scanner has completed it before we could say so.
      if ((await store.stat(upload.original_key))?.sizeBytes !== sizeOf(upload)) throw error;
      await partials.discard(planOf(upload), hold.state);
    }
  }

  /** The original is safe by now: where this fails the client's own call or the scanner does it. */
  async #complete(upload: ResumableUploadRow): Promise<void> {
    try {
      await completeOriginal(this.#deps, upload.tenant_id, upload.video_id, null);
    } catch (error) {
      this.#log.warn(
        { video_id: upload.video_id, reason: toError(error).message },
        'uploads: a whole original is not in the queue yet',
      );
    }
  }
}

function superseded(): Error {
  return new DomainError('Busy', 'Another request goes on with this upload.');
}

function sizeOf(upload: ResumableUploadRow): number {
  return Number(upload.size_bytes);
}

function planOf(upload: ResumableUploadRow): PartialPlan {
  const { original_key: key, content_type } = upload;
  return { key, sizeBytes: sizeOf(upload), contentType: content_type ?? contentTypeOfKey(key) };
}

function viewOf(upload: ResumableUploadRow, offsetBytes: number): UploadView {
  const { metadata, expires_at: expiresAt } = upload;
  return { offsetBytes, sizeBytes: sizeOf(upload), metadata, expiresAt };
}
