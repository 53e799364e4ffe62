import { parseJson } from '../../../src/core/parse-json.ts';

/** What the linked data (JSON-LD) of a page says about its video or article. */
export interface LinkedData {
  readonly title: string | null;
  readonly description: string | null;
  readonly author: string | null;
  readonly publishedAt: string | null;
  readonly durationSeconds: number | null;
  readonly transcript: string | null;
}

const NOTHING: LinkedData = {
  title: null,
  description: null,
  author: null,
  publishedAt: null,
  durationSeconds: null,
  transcript: null,
};
const TYPES = /^(VideoObject|AudioObject|PodcastEpisode|Article|NewsArticle|BlogPosting|Report)$/;
const MAX_SCRIPT_LENGTH = 2_000_000;

/** The first video or article of a page's linked data; a video before an article. */
export function linkedDataOf(document: Document): LinkedData {
  const things: Record<string, unknown>[] = [];
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    const text = script.textContent ?? '';
    if (text.length > MAX_SCRIPT_LENGTH) continue;
    try {
      collect(parseJson(text), things, 0);
    } catch {
      // Broken ones are common: the rest of the page counts.
    }
  }
  const thing = things.find((each) => each['@type'] === 'VideoObject') ?? things[0];
  if (thing === undefined) return NOTHING;
  return {
    title: textOf(thing['name']) ?? textOf(thing['headline']),
    description: textOf(thing['description']),
    author: authorOf(thing['author']),
    publishedAt: textOf(thing['uploadDate']) ?? textOf(thing['datePublished']),
    durationSeconds: secondsOf(textOf(thing['duration'])),
    transcript: textOf(thing['transcript']),
  };
}

function collect(value: unknown, into: Record<string, unknown>[], depth: number): void {
  if (depth > 4 || into.length > 50 || value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 50)) collect(item, into, depth + 1);
    return;
  }
  const thing = value as Record<string, unknown>;
  const [type] = [thing['@type']].flat();
  if (typeof type === 'string' && TYPES.test(type)) into.push({ ...thing, '@type': type });
  collect(thing['@graph'], into, depth + 1);
  collect(thing['video'], into, depth + 1);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function authorOf(value: unknown): string | null {
  const [first] = [value].flat();
  return textOf(first) ?? textOf((first as { name?: unknown } | null | undefined)?.name);
}

/** `PT1H2M3S` */
function secondsOf(text: string | null): number | null {
  const found = /^P(?:(\d{1,3})D)?T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,7})(?:\.\d{1,9})?S)?$/.exec(
    text ?? '',
  );
  if (found === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
  return days * 86_400 + hours * 3_600 + minutes * 60 + seconds;
}
