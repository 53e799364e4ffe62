import { createHash } from 'node:crypto';
import { cleanJson, cleanText } from '../../../core/clean-text.ts';
import type { Job } from '../../../core/job.ts';
import type { Lease } from '../../../core/queue.ts';
import type { Database, Transaction } from '../../../db/database.ts';
import { hold } from '../../../db/hold-lease.ts';
import { type BegunLinkRow, beginStage } from '../sql/begin-stage.ts';
import { saveEnriched } from '../sql/save-enriched.ts';
import { saveLinkText } from '../sql/save-link-text.ts';
import { saveLinkVector } from '../sql/save-link-vector.ts';
import { saveScraped } from '../sql/save-scraped.ts';
import { signCode } from '../vectors/sign-code.ts';
import { toBytes } from '../vectors/vector-bytes.ts';
import type { LinkStore, ScrapedLink } from './contract.ts';

/** Longest text that is kept. */
export const MAX_LINK_TEXT_LENGTH = 1_000_000;

/**
 * The row of one job's link. Works as the API role with the job's tenant, and commits only while the run has
 * its lease.
 */
export function createLinkStore(database: Database, job: Job, lease: Lease): LinkStore {
  const { tenantId, subject } = job;
  const linkId = subject?.type === 'link' ? subject.id : null;
  const fenced = <T>(work: (tx: Transaction, id: string) => Promise<T>): Promise<T> =>
    database.transaction({ role: 'api', tenantId, endsWhenFrozen: true }, async (tx) => {
      if (linkId === null) throw new Error('The job is about no link');
      const result = await work(tx, linkId);
      // Last, since the row is locked from here on and a locked lease is not renewed.
      await hold(tx, tenantId, lease);
      return result;
    });
  return {
    begin: (status) =>
      fenced(async (tx, id) => {
        const { rows } = await tx.query<BegunLinkRow>(beginStage, [tenantId, id, status]);
        const row = rows[0];
        if (row === undefined) return null;
        return {
          url: row.url,
          title: row.title,
          description: row.description,
          language: row.language,
          text: row.text,
          contentHash: row.content_hash,
          enrichedHash: row.enriched_hash,
          enrichedBy: row.enriched_by,
          embeddedBy: row.embedded_by,
        };
      }),
    saveScraped: (scraped) =>
      fenced(async (tx, id) => {
        const fit = fitting(scraped);
        const contentHash = hashOf(fit);
        const { text } = fit;
        await tx.query(saveScraped, [
          ...[
            tenantId,
            id,
            fit.canonicalUrl,
            fit.title,
            fit.description,
            fit.author,
            fit.siteName,
            fit.imageUrl,
          ],
          ...[
            fit.language,
            fit.publishedAt,
            fit.durationSeconds,
            fit.textKind,
            text?.length ?? null,
            contentHash,
          ],
          fit.scrapedBy,
        ]);
        const segments = fit.segments === null ? null : cleanJson(fit.segments);
        // A link without a text is found by its title and description.
        const words = text ?? fit.description ?? '';
        await tx.query(saveLinkText, [tenantId, id, words, segments, fit.title, null]);
        return { contentHash };
      }),
    saveEnriched: ({ summary, topics, entities, contentHash, enrichedBy, embedding }) =>
      fenced(async (tx, id) => {
        const values = [
          summary === null ? null : cleanText(summary),
          topics.map(cleanText),
          cleanJson(entities),
          contentHash,
          enrichedBy,
          embedding?.model ?? null,
        ];
        await tx.query(saveEnriched, [tenantId, id, ...values]);
        if (embedding === null) return;
        const { model, vector } = embedding;
        await tx.query(saveLinkVector, [
          tenantId,
          id,
          model,
          vector.length,
          signCode(vector),
          toBytes(vector),
        ]);
      }),
  };
}

/** What `enrich` reads, so that it knows whether it has read it before. */
function hashOf({ title, description, text }: ScrapedLink): string {
  return createHash('sha256')
    .update(JSON.stringify([title, description, text]))
    .digest('hex');
}

function fitting(scraped: ScrapedLink): ScrapedLink {
  const cut = (text: string | null, length: number) =>
    text === null ? null : cleanText(text.slice(0, length)).trim() || null;
  const url = (text: string | null) => (text === null || text.length > 4_096 ? null : text);
  return {
    ...scraped,
    canonicalUrl: url(scraped.canonicalUrl),
    imageUrl: url(scraped.imageUrl),
    title: cut(scraped.title, 1_000),
    description: cut(scraped.description, 10_000),
    author: cut(scraped.author, 1_000),
    siteName: cut(scraped.siteName, 1_000),
    language: cut(scraped.language, 35),
    text: cut(scraped.text, MAX_LINK_TEXT_LENGTH),
    textKind: scraped.text === null ? null : scraped.textKind,
  };
}
