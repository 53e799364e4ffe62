import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import { checkVersion, type VersionMatch } from '../../../core/version-match.ts';
import { recordAction } from '../../../db/record-action.ts';
import { sqlState } from '../../../db/retryable.ts';
import { setLockTimeout } from '../../../db/sql/set-lock-timeout.ts';
import { busy } from '../../../jobs/busy.ts';
import { checkMayChange } from '../../../jobs/check-may-change.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { findVideoCreator } from '../sql/find-video-creator.ts';
import { lockVideoFacts, type VideoFactsRow } from '../sql/lock-video-facts.ts';
import { updateVideoFacts } from '../sql/update-video-facts.ts';
import { checkLanguages } from './video-languages.ts';

const WAIT_MS = 2_000;
const MAX_TITLE_LENGTH = 500;

/** What to change of a video; null and absent leave it. */
export interface UpdateVideoRequest {
  readonly title?: string | null | undefined;
  /** Only of a video whose upload is not completed: its pipeline is given them when it begins. */
  readonly languages?: readonly string[] | null | undefined;
}

/**
 * Gives a video another title, which searches find at once, or other languages.
 * @throws DomainError `NotFound` `Forbidden` `Busy` `PreconditionFailed` `InvalidArgument`, naming
 *   `languages` once the upload is completed
 */
export const updateVideo = defineUseCase(
  { name: 'updateVideo', role: 'member', scope: 'videos:write', toDo: 'change videos' },
  async (
    { db, queue }: Pick<JobsDeps, 'db' | 'queue'>,
    actor: Caller,
    videoId: string,
    request: UpdateVideoRequest,
    ifMatch: VersionMatch | null = null,
  ): Promise<void> => {
    const { title = null, languages = null } = request;
    check(title, languages);
    const subject = { kind: 'video', id: videoId, creator: findVideoCreator, scope: 'videos:write' } as const;
    await checkMayChange({ db }, actor, subject, 'change videos');
    const { tenantId, name } = actor;
    const whose = [tenantId, videoId];
    try {
      await db.transaction({ role: 'api', tenantId }, async (tx) => {
        await tx.query(setLockTimeout, [`${WAIT_MS}ms`]);
        const { rows } = await tx.query<VideoFactsRow>(lockVideoFacts, whose);
        const video = rows[0];
        if (video === undefined) throw notFound('video', videoId);
        checkVersion(ifMatch, video.version);
        if (languages !== null && video.status !== 'awaiting_upload') throw tooLate(videoId);
        await tx.query(updateVideoFacts, [...whose, title, languages]);
        const details = {
          ...(title !== null && { title: { from: video.title, to: title } }),
          ...(languages !== null && { languages: { from: video.languages, to: languages } }),
        };
        await recordAction(tx, {
          tenantId,
          actor: name,
          action: 'video.update',
          targetType: 'video',
          targetId: videoId,
          details,
        });
      });
    } catch (error) {
      if (sqlState(error) === '55P03') throw busy(`video ${videoId}`);
      throw error;
    }
    queue.notifyChanged();
  },
);

function check(title: string | null, languages: readonly string[] | null): void {
  if (title === null && languages === null)
    throw refused('input', 'without title and languages', 'at least one of them');
  if (languages !== null) checkLanguages(languages);
  if (title === null) return;
  if (title.trim().length === 0 || title.length > MAX_TITLE_LENGTH)
    throw refused('title', JSON.stringify(title.slice(0, 80)), `1 to ${MAX_TITLE_LENGTH} characters`);
  checkFilterText('title', title, MAX_TITLE_LENGTH);
}

function tooLate(videoId: string): DomainError {
  const allowed = 'languages of a video whose upload is not completed';
  return new DomainError(
    'InvalidArgument',
    `The upload of video ${videoId} is completed, and its texts are read in the languages that it had; allowed: ${allowed}.`,
    { field: 'languages', allowed },
  );
}

function refused(field: string, shown: string, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} is ${shown}; allowed: ${allowed}.`, { field, allowed });
}
