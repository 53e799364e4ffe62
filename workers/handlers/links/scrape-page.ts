import { PermanentError } from '../../../src/core/errors.ts';
import { parseJson } from '../../../src/core/parse-json.ts';
import { ProviderBusy } from '../../../src/domains/links/providers/provider-error.ts';
import type { ScrapedLink, TextSegment } from '../../../src/domains/links/stores/contract.ts';
import type { OutgoingAnswer } from '../../../src/outgoing/outgoing.ts';
import { OutgoingError } from '../../../src/outgoing/outgoing-error.ts';
import { retryAfterSeconds } from '../../../src/outgoing/retry-after.ts';
import type { JobLog } from '../../handler.ts';
import { parseCaptions } from './captions.ts';
import type { PageContent } from './page-content.ts';
import { HostBusy, type PoliteClient } from './polite-client.ts';
import { readPage } from './read-page.ts';
import { textOfAnswer } from './text-of-answer.ts';

const PAGE_TYPES = ['text/html', 'application/xhtml+xml', 'text/plain'];
const CAPTION_TYPES = ['text/vtt', 'application/x-subrip', 'text/plain', 'application/octet-stream'];
const OEMBED_TYPES = ['application/json', 'application/json+oembed', 'text/javascript', 'text/json'];
/** Limit of HTML before it is parsed. */
const MAX_PAGE_BYTES = 5 * 1024 * 1024;
const MAX_CAPTION_BYTES = 4 * 1024 * 1024;
const MAX_OEMBED_BYTES = 256 * 1024;
const TIMEOUT_MS = 30_000;

/**
 * Reads a link's page: what its head says, its article, and what oEmbed and captions it links.
 * @throws HostBusy ProviderBusy (the host asks to wait) PermanentError OutgoingError
 */
export async function scrapePage(
  client: PoliteClient,
  url: string,
  signal: AbortSignal,
  log: JobLog,
): Promise<ScrapedLink> {
  const answer = await client.get(url, {
    contentTypes: PAGE_TYPES,
    maxBytes: MAX_PAGE_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  requirePage(answer);
  const html = textOfAnswer(answer);
  if (answer.headers['content-type']?.startsWith('text/plain') === true) return plainText(answer.url, html);
  const page = await readPage({ html, url: answer.url }, signal);
  const optional = <T>(what: string, work: Promise<T>): Promise<T | null> =>
    work.catch((error: Error) => {
      // The page itself was read: what it links may be missing, but a job that is to stop stops, and a host's
      // turn is waited for.
      if (signal.aborted || error instanceof HostBusy) throw error;
      log.info(`${what} could not be read`, { reason: error.message });
      return null;
    });
  const embed = page.oembedUrl === null ? null : await optional('oEmbed', readOembed(client, page.oembedUrl));
  let segments: readonly TextSegment[] = [];
  for (const captions of page.captionUrls) {
    segments = (await optional('Captions', readCaptions(client, captions))) ?? [];
    if (segments.length > 0) break;
  }
  return joined(answer.url, page, embed, segments);
}

function joined(
  url: string,
  page: PageContent,
  embed: Oembed | null,
  segments: readonly TextSegment[],
): ScrapedLink {
  const captions = segments.map(({ text }) => text).join('\n');
  const transcript = captions === '' ? page.transcript : captions;
  const text = transcript ?? page.article;
  return {
    canonicalUrl: page.canonicalUrl ?? url,
    title: page.title ?? embed?.title ?? null,
    description: page.description,
    author: page.author ?? embed?.author ?? null,
    siteName: page.siteName ?? embed?.provider ?? null,
    imageUrl: page.imageUrl ?? embed?.thumbnail ?? null,
    language: page.language,
    publishedAt: page.publishedAt === null ? null : new Date(page.publishedAt),
    durationSeconds: page.durationSeconds,
    text,
    textKind: text === null ? null : transcript === null ? 'article' : 'transcript',
    segments: captions === '' ? null : segments,
    scrapedBy: 'page',
  };
}

interface Oembed {
  readonly title: string | null;
  readonly author: string | null;
  readonly provider: string | null;
  readonly thumbnail: string | null;
}

async function readOembed(client: PoliteClient, url: string): Promise<Oembed> {
  const answer = await client.get(url, {
    contentTypes: OEMBED_TYPES,
    maxBytes: MAX_OEMBED_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  if (answer.status >= 300) throw new Error(`oEmbed answers ${answer.status}`);
  const found = parseJson(textOfAnswer(answer)) as Record<string, unknown> | null;
  const text = (key: string) => (typeof found?.[key] === 'string' ? (found[key] as string) : null);
  return {
    title: text('title'),
    author: text('author_name'),
    provider: text('provider_name'),
    thumbnail: text('thumbnail_url'),
  };
}

async function readCaptions(client: PoliteClient, url: string): Promise<readonly TextSegment[]> {
  const answer = await client.get(url, {
    contentTypes: CAPTION_TYPES,
    maxBytes: MAX_CAPTION_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  if (answer.status >= 300) throw new Error(`Captions answer ${answer.status}`);
  return parseCaptions(textOfAnswer(answer));
}

function requirePage({ status, headers, url }: OutgoingAnswer): void {
  if (status >= 200 && status < 300) return;
  const { host } = new URL(url);
  if (status === 429 || (status === 503 && headers['retry-after'] !== undefined))
    throw new ProviderBusy(host, retryAfterSeconds(headers));
  if (status >= 500 || status === 408 || status === 425)
    throw new OutgoingError('ConnectionFailed', `${host} answers ${status}`);
  throw new PermanentError('PageRefused', `${host} answers ${status}`);
}

function plainText(url: string, text: string): ScrapedLink {
  const tidy = text.trim();
  return {
    canonicalUrl: url,
    title: tidy.split('\n', 1)[0]?.slice(0, 200) || null,
    description: null,
    author: null,
    siteName: null,
    imageUrl: null,
    language: null,
    publishedAt: null,
    durationSeconds: null,
    text: tidy === '' ? null : tidy,
    textKind: tidy === '' ? null : 'article',
    segments: null,
    scrapedBy: 'page',
  };
}
