import { jsonOf, requireSuccess } from '../../../src/domains/links/providers/provider-error.ts';
import type { ScrapedLink, TextSegment } from '../../../src/domains/links/stores/contract.ts';
import { callEndpoint } from '../../../src/outgoing/configured-endpoint.ts';
import { parseCaptions } from './captions.ts';

/** A service in the style of ScrapeCreators: a GET for metadata and one for the transcript, by platform. */
interface Platform {
  readonly name: string;
  readonly hosts: RegExp;
  readonly details: string;
  readonly transcript: string;
}

const PLATFORMS: readonly Platform[] = [
  {
    name: 'youtube',
    hosts: /(^|\.)(youtube\.com|youtu\.be)$/,
    details: '/v1/youtube/video',
    transcript: '/v1/youtube/video/transcript',
  },
  {
    name: 'tiktok',
    hosts: /(^|\.)tiktok\.com$/,
    details: '/v2/tiktok/video',
    transcript: '/v1/tiktok/video/transcript',
  },
  {
    name: 'instagram',
    hosts: /(^|\.)instagram\.com$/,
    details: '/v1/instagram/post',
    transcript: '/v2/instagram/media/transcript',
  },
];
const SERVICE = 'The scraping service';
const TIMEOUT_MS = 45_000;

/** Whether the service knows videos of this link's host. */
export function isOfPlatform(url: string): boolean {
  return platformOf(url) !== undefined;
}

/**
 * Asks the service about a video.
 * @throws ProviderBusy · PermanentError `ProviderRefused` · Error and OutgoingError, which are tried again
 */
export async function scrapeByApi(
  api: { readonly url: string; readonly key: string | null },
  url: string,
  signal: AbortSignal,
): Promise<ScrapedLink> {
  const platform = platformOf(url);
  if (platform === undefined) throw new Error('The link is of no platform that the service knows');
  const ask = async (path: string) => {
    const answer = await callEndpoint({
      url: `${api.url.replace(/\/+$/, '')}${path}?url=${encodeURIComponent(url)}`,
      headers: api.key === null ? {} : { 'x-api-key': api.key },
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    return answer;
  };
  const details = await ask(platform.details);
  requireSuccess(SERVICE, details);
  const transcript = await ask(platform.transcript);
  // A video without a transcript is answered with 404 or with null.
  if (transcript.status !== 404) requireSuccess(SERVICE, transcript);
  const segments = transcript.status === 404 ? [] : segmentsOf(jsonOf(SERVICE, transcript));
  return { ...detailsOf(jsonOf(SERVICE, details), url), ...textOf(segments), scrapedBy: platform.name };
}

function platformOf(url: string): Platform | undefined {
  const { hostname } = new URL(url);
  return PLATFORMS.find(({ hosts }) => hosts.test(hostname));
}

function textOf(segments: readonly TextSegment[]): Pick<ScrapedLink, 'text' | 'textKind' | 'segments'> {
  const text = segments.map((segment) => segment.text).join('\n');
  if (text === '') return { text: null, textKind: null, segments: null };
  const isTimed = segments.some(({ endMs }) => endMs !== null);
  return { text, textKind: 'transcript', segments: isTimed ? segments : null };
}

/** A list of timed parts, a file of captions, plain text, or a list of texts. */
function segmentsOf(answer: unknown): readonly TextSegment[] {
  const { transcript, transcript_only_text: only, transcripts } = (answer ?? {}) as Record<string, unknown>;
  const parts = Array.isArray(transcript) ? transcript : Array.isArray(transcripts) ? transcripts : null;
  if (parts !== null)
    return parts.flatMap((part: unknown) => {
      const { text, startMs, endMs } = (part ?? {}) as Record<string, unknown>;
      if (typeof text !== 'string' || text.trim() === '') return [];
      return [{ text: text.trim(), startMs: msOf(startMs) ?? 0, endMs: msOf(endMs) }];
    });
  const text = typeof transcript === 'string' ? transcript : typeof only === 'string' ? only : '';
  const captions = text.includes('-->') ? parseCaptions(text) : [];
  if (captions.length > 0) return captions;
  return text.trim() === '' ? [] : [{ text: text.trim(), startMs: 0, endMs: null }];
}

function msOf(value: unknown): number | null {
  const ms = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(ms) && ms >= 0 ? Math.round(ms) : null;
}

/** The fields by the names that the platforms' answers have for them. */
function detailsOf(
  answer: unknown,
  url: string,
): Omit<ScrapedLink, 'text' | 'textKind' | 'segments' | 'scrapedBy'> {
  const first = (...paths: string[]) =>
    paths
      .map((path) => at(answer, path))
      .find((found) => found !== undefined && found !== null && found !== '');
  const text = (...paths: string[]) => {
    const found = first(...paths);
    return typeof found === 'string' ? found : null;
  };
  const seconds = Number(first('lengthSeconds', 'durationSeconds', 'duration') ?? Number.NaN);
  const ms = Number(first('durationMs', 'aweme_detail.video.duration') ?? Number.NaN);
  const published = first(
    'publishDate',
    'publishedAt',
    'aweme_detail.create_time',
    'data.xdt_shortcode_media.taken_at_timestamp',
  );
  const time = typeof published === 'number' ? published * 1_000 : Date.parse(String(published ?? ''));
  return {
    canonicalUrl: text('url', 'aweme_detail.share_url') ?? url,
    title: text(
      'title',
      'aweme_detail.desc',
      'desc',
      'data.xdt_shortcode_media.edge_media_to_caption.edges.0.node.text',
    ),
    description: text('description', 'aweme_detail.desc', 'caption'),
    author: text(
      'channel.title',
      'channel.handle',
      'author.nickname',
      'aweme_detail.author.nickname',
      'data.xdt_shortcode_media.owner.username',
    ),
    siteName: null,
    imageUrl: text(
      'thumbnail',
      'aweme_detail.video.origin_cover.url_list.0',
      'data.xdt_shortcode_media.display_url',
    ),
    language: text('language', 'aweme_detail.desc_language'),
    publishedAt: Number.isNaN(time) ? null : new Date(time),
    durationSeconds: Number.isFinite(seconds)
      ? Math.round(seconds)
      : Number.isFinite(ms)
        ? Math.round(ms / 1_000)
        : null,
  };
}

function at(value: unknown, path: string): unknown {
  let found: unknown = value;
  for (const key of path.split('.'))
    found =
      found !== null && typeof found === 'object' && Object.hasOwn(found, key)
        ? (found as Record<string, unknown>)[key]
        : undefined;
  return found;
}
