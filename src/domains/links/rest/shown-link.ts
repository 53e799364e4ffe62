import type { Static } from 'typebox';
import type { LinkRow } from '../../../db/prisma.ts';
import { notFound } from '../../../jobs/not-found.ts';
import type { RestContext } from '../../../rest/context.ts';
import { timeOrNull, timeText } from '../../../rest/shown-job.ts';
import { linkLoader } from '../graphql/loaders.ts';
import type { LinkStatus } from '../link-status.ts';
import { readLink } from '../use-cases/find-links.ts';
import type { LinkSchema } from './schemas.ts';

type ShownLink = Static<typeof LinkSchema>;

/** A link as answers have it. */
export function shownLink(row: LinkRow): ShownLink {
  return {
    id: row.id,
    url: row.url,
    status: row.status as LinkStatus,
    processing_error: row.processingError,
    source_ref: row.sourceRef,
    canonical_url: row.canonicalUrl,
    title: row.title,
    description: row.description,
    author: row.author,
    site_name: row.siteName,
    image_url: row.imageUrl,
    language: row.language,
    published_at: timeOrNull(row.publishedAt),
    duration_seconds: row.durationSeconds,
    text_kind: row.textKind,
    text_length: row.textLength,
    summary: row.summary,
    topics: [...row.topics],
    entities: Array.isArray(row.entities) ? (row.entities as ShownLink['entities']) : [],
    scraped_by: row.scrapedBy,
    enriched_by: row.enrichedBy,
    embedded_by: row.embeddedBy,
    scraped_at: timeOrNull(row.scrapedAt),
    enriched_at: timeOrNull(row.enrichedAt),
    created_by: row.createdBy,
    created_at: timeText(row.createdAt),
    updated_at: timeText(row.updatedAt),
    version: String(row.version),
  };
}

/** The link that a path names. @throws DomainError `NotFound` */
export async function foundLink({ operation, caller }: RestContext, linkId: string): Promise<LinkRow> {
  const id = linkId.toLowerCase();
  const row = await readLink(operation.loader(linkLoader), caller, id);
  if (row === null) throw notFound('link', id);
  return row;
}

/** What was found about links, with the links; those that were deleted meanwhile are omitted. */
export async function withLinks<Found extends { readonly linkId: string }, Shown>(
  { operation }: RestContext,
  found: readonly Found[],
  show: (found: Found, link: ShownLink) => Shown,
): Promise<Shown[]> {
  const rows = await Promise.all(found.map(({ linkId }) => operation.loader(linkLoader).load(linkId)));
  return found.flatMap((one, index) => {
    const row = rows[index];
    return row == null ? [] : [show(one, shownLink(row))];
  });
}
