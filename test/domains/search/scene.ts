import { systemCaller } from '../../../src/access/admissions.ts';
import type { ReadTransaction } from '../../../src/db/prisma.ts';
import {
  type SearchArgs,
  type SearchPage,
  searchFacets,
  searchVideos,
} from '../../../src/domains/search/use-cases/search-videos.ts';
import type { TestQueue } from '../../support/queue.ts';

/** A text of a video: what it says, and when. */
export interface Line {
  readonly text: string;
  readonly tStart?: number;
  readonly tEnd?: number;
  readonly confidence?: number;
  readonly language?: string;
}

/** Writes, reads and searches as the API's role. */
export interface SearchScene {
  /** A video with these texts, searchable at once. */
  makeVideo(tenantId: string, lines: readonly (Line | string)[], title?: string): Promise<string>;
  insert(tenantId: string, videoId: string, lines: readonly (Line | string)[]): Promise<string[]>;
  refresh(tenantId: string, videoId?: string): Promise<void>;
  search(tenantId: string, args: SearchArgs | string): Promise<SearchPage>;
  facets(tenantId: string, args: SearchArgs): ReturnType<typeof searchFacets>;
  /** The texts of all hits of a page, in their order. */
  texts(tenantId: string, args: SearchArgs | string): Promise<string[]>;
  as(tenantId: string, sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

export function searchScene(q: TestQueue): SearchScene {
  const as: SearchScene['as'] = (tenantId, sql, values = []) =>
    q.db.transaction({ role: 'api', tenantId }, async (tx) => (await tx.client.query(sql, [...values])).rows);
  const reading = <T>(tenantId: string, work: (reads: ReadTransaction) => Promise<T>): Promise<T> =>
    q.db.transaction({ role: 'api', tenantId }, (tx) =>
      work({
        query: async (statement: { text: string }, values: readonly unknown[]) =>
          (await tx.client.query(statement.text, [...values])).rows,
      } as unknown as ReadTransaction),
    );
  const insert: SearchScene['insert'] = async (tenantId, videoId, lines) => {
    const full = lines.map((line) => (typeof line === 'string' ? { text: line } : line));
    const rows = await as(
      tenantId,
      `insert into millrace.segments (tenant_id, video_id, frame_ms, t_start, t_end, text, normalized_text, text_hash,
         confidence, language, bounding_box)
       select $1, $2, l.t_start, l.t_start, l.t_end, l.text, lower(l.text), md5(l.text), l.confidence, l.language, '{}'
       from unnest($3::text[], $4::bigint[], $5::bigint[], $6::real[], $7::text[]) as l (text, t_start, t_end, confidence, language)
       returning id`,
      [
        tenantId,
        videoId,
        full.map(({ text }) => text),
        full.map(({ tStart }, index) => tStart ?? index * 1000),
        full.map(({ tStart, tEnd }, index) => tEnd ?? (tStart ?? index * 1000) + 500),
        full.map(({ confidence }) => confidence ?? 0.9),
        full.map(({ language }) => language ?? 'eng'),
      ],
    );
    return rows.map(({ id }) => id as string);
  };
  const refresh: SearchScene['refresh'] = async (tenantId, videoId) => {
    await as(tenantId, 'select millrace.refresh_search_materialized($1)', [videoId ?? null]);
  };
  const search: SearchScene['search'] = (tenantId, args) =>
    reading(tenantId, (reads) =>
      searchVideos(reads, systemCaller(tenantId), typeof args === 'string' ? { query: args } : args),
    );
  return {
    as,
    insert,
    refresh,
    search,
    facets: (tenantId, args) =>
      reading(tenantId, (reads) => searchFacets(reads, systemCaller(tenantId), args)),
    makeVideo: async (tenantId, lines, title = 'v') => {
      const [video] = await as(
        tenantId,
        `insert into millrace.videos (tenant_id, title, original_key, status) values ($1, $2, 'k', 'ready') returning id`,
        [tenantId, title],
      );
      const videoId = video?.['id'] as string;
      await insert(tenantId, videoId, lines);
      await refresh(tenantId, videoId);
      return videoId;
    },
    texts: async (tenantId, args) => {
      const page = await search(tenantId, args);
      const ids = page.videos.flatMap(({ hits }) => hits.map(({ segmentId }) => segmentId));
      const rows = await as(tenantId, 'select id, text from millrace.segments where id = any ($1)', [ids]);
      const byId = new Map(rows.map(({ id, text }) => [id, text as string]));
      return ids.map((id) => byId.get(id) ?? 'gone');
    },
  };
}
