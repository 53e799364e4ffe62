import type { Database } from '../../../db/database.ts';
import { type MediaChange, toMediaChange } from '../../../events/change.ts';
import type { InitialState, Missed } from '../../../events/list-kind.ts';
import { inSnapshot, type MissedQuery, readMissed } from '../../../events/missed.ts';
import { findChangedClips } from '../../clips/sql/find-changed-clips.ts';
import { findInitialClips } from '../../clips/sql/find-initial-clips.ts';
import { findChangedVideos } from '../sql/find-changed-videos.ts';
import { findInitialVideos } from '../sql/find-initial-videos.ts';
import type { CheckedMediaFilter } from './media-filter.ts';
import type { ChangedMediaRow, FeedMediaRow } from './media-rows.ts';

/** Reads one tenant's videos or clips for a subscriber, under that tenant's row security. */
export class MediaReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The state that a fresh subscription starts from. */
  initial(kind: 'video' | 'clip', filter: CheckedMediaFilter): Promise<InitialState<MediaChange>> {
    const { tenantId, initialLimit, statuses, createdBy, videoId } = filter;
    return inSnapshot(this.#database, tenantId, async (tx, position) => {
      const asked = [tenantId, initialLimit + 1, statuses, createdBy];
      const { rows } =
        kind === 'video'
          ? await tx.query<FeedMediaRow>(findInitialVideos, asked)
          : await tx.query<FeedMediaRow>(findInitialClips, [...asked, videoId]);
      const found = rows.slice(0, initialLimit).map((row) => toMediaChange(kind, row));
      return { position, found, complete: rows.length <= initialLimit };
    });
  }

  /** What was missed, see `readMissed`. */
  missed(
    kind: 'video' | 'clip',
    { createdBy, videoId }: CheckedMediaFilter,
    query: MissedQuery,
  ): Promise<Missed<MediaChange>> {
    return readMissed(
      this.#database,
      query,
      async (tx, { parameters, maxTotal }) => {
        const asked = [query.tenantId, ...parameters, createdBy, maxTotal];
        const { rows } =
          kind === 'video'
            ? await tx.query<ChangedMediaRow>(findChangedVideos, asked)
            : await tx.query<ChangedMediaRow>(findChangedClips, [...asked, videoId]);
        return rows;
      },
      (row) => toMediaChange(row.kind, row),
    );
  }
}
