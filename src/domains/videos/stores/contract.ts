import type { ObjectStat } from '../../../storage/object-store.ts';
import type { PutHold } from '../uploads/put-hold.ts';

/** The row of one video. */
export interface VideoStore {
  /**
   * Shows that its stream is being made, where it has none yet.
   * @throws DomainError `LostLease` when another run has the job by now; nothing is written then
   */
  begin(): Promise<void>;
}

/** The upload of the video that a job fetches the original of. */
export interface FetchStore {
  /**
   * Takes the right to put the original, and the room for it.
   * @param sizeBytes null where the server does not announce it
   * @throws DomainError `Busy` (a run that was killed has it for some more seconds) `QuotaExceeded`
   */
  hold(
    sizeBytes: number | null,
    maxSizeBytes: number,
  ): Promise<Pick<PutHold, 'maxSizeBytes' | 'signal' | 'release'>>;
  /**
   * Gives the file its name while the video awaits it.
   * @throws DomainError `NotFound` `WrongState`; nothing is published then
   */
  publish(publish: () => Promise<void>): Promise<void>;
  /**
   * Completes the upload, in one transaction with the first job of its pipeline. Again changes nothing.
   * @throws DomainError `NotFound` `InvalidArgument` (an empty file) `ObjectTooLarge`
   */
  complete(): Promise<void>;
}

/** The video that a file below `videos/original/` is named by. */
export interface KnownVideo {
  readonly tenantId: string;
  readonly awaitsUpload: boolean;
  readonly originalKey: string;
}

/** Originals in the store and their videos, of all tenants: for jobs of the system tenant alone. */
export interface OriginalsStore {
  /** Finds which of these videos exist, by id. At most some hundred. */
  findVideos(videoIds: readonly string[]): Promise<ReadonlyMap<string, KnownVideo>>;
  /**
   * Makes a video of an original, with the first job of its pipeline, in one transaction.
   * @returns `known` when there is a video of that id by now, `unowned` when no tenant takes such files;
   *   nothing is written then
   */
  register(original: {
    readonly videoId: string;
    readonly fileName: string;
    readonly object: ObjectStat;
  }): Promise<'registered' | 'known' | 'unowned'>;
  /**
   * Completes an upload, in one transaction with the first job of its pipeline.
   * @returns false when it has been completed meanwhile
   * @throws DomainError `InvalidArgument` (an empty file) `ObjectTooLarge`; nothing is written then
   */
  complete(video: KnownVideo, videoId: string, object: ObjectStat): Promise<boolean>;
}
