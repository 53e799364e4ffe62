import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { linkedDataOf } from './linked-data.ts';
import type { PageContent } from './page-content.ts';

/** Deeper pages are read for what their head says alone: reading the article walks in recursions. */
const MAX_DEPTH = 200;
const MIN_ARTICLE_LENGTH = 140;
const MAX_CAPTIONS = 5;

/**
 * Reads a page of a stranger. It may take long and much memory, so it is done in a thread with limits of
 * both.
 * @param url of the page, for what it links
 */
export function parsePage(html: string, url: string): PageContent {
  const { document } = parseHTML(html);
  const meta = (...names: string[]) => metaOf(document, names);
  const linked = linkedDataOf(document);
  const language = shortText(document.documentElement?.getAttribute('lang') ?? null) ?? meta('og:locale');
  return {
    canonicalUrl: absolute(hrefOf(document, 'link[rel="canonical"]') ?? meta('og:url'), url),
    title:
      meta('og:title', 'twitter:title') ??
      linked.title ??
      shortText(document.querySelector('title')?.textContent ?? null),
    description: meta('og:description', 'description', 'twitter:description') ?? linked.description,
    author: meta('author', 'article:author', 'twitter:creator') ?? linked.author,
    siteName: meta('og:site_name'),
    imageUrl: absolute(meta('og:image:secure_url', 'og:image', 'twitter:image'), url),
    language,
    publishedAt: dateOf(meta('article:published_time', 'date') ?? linked.publishedAt),
    durationSeconds: linked.durationSeconds ?? secondsOf(meta('video:duration', 'og:video:duration')),
    transcript: linked.transcript,
    oembedUrl: absolute(hrefOf(document, 'link[type="application/json+oembed"]'), url),
    captionUrls: captionsOf(document, url, language),
    // Last: it takes the document apart.
    article: articleOf(document),
  };
}

function metaOf(document: Document, names: readonly string[]): string | null {
  for (const name of names)
    for (const attribute of ['property', 'name', 'itemprop']) {
      const found = shortText(
        document.querySelector(`meta[${attribute}="${name}"]`)?.getAttribute('content') ?? null,
      );
      if (found !== null) return found;
    }
  return null;
}

function hrefOf(document: Document, selector: string): string | null {
  return document.querySelector(selector)?.getAttribute('href') ?? null;
}

function captionsOf(document: Document, url: string, language: string | null): readonly string[] {
  const tracks = [...document.querySelectorAll('track[src]')].filter((track) =>
    ['captions', 'subtitles', ''].includes(track.getAttribute('kind') ?? ''),
  );
  const isOwn = (track: Element) =>
    language !== null && (track.getAttribute('srclang') ?? '').startsWith(language.slice(0, 2));
  const sorted = [...tracks.filter(isOwn), ...tracks.filter((track) => !isOwn(track))];
  const linked = [...document.querySelectorAll('a[href$=".vtt"], a[href$=".srt"], link[type="text/vtt"]')];
  return [
    ...sorted.map((track) => track.getAttribute('src')),
    ...linked.map((link) => link.getAttribute('href')),
  ]
    .map((found) => absolute(found, url))
    .filter((found) => found !== null)
    .slice(0, MAX_CAPTIONS);
}

function articleOf(document: Document): string | null {
  if (isTooDeep(document.documentElement)) return null;
  try {
    const text = new Readability(document, {
      maxElemsToParse: 50_000,
      charThreshold: MIN_ARTICLE_LENGTH,
    }).parse()?.textContent;
    const tidy =
      text
        ?.replace(/[ \t\u00a0]+/g, ' ')
        .replace(/ ?\n[\n ]*/g, '\n')
        .trim() ?? '';
    return tidy.length < MIN_ARTICLE_LENGTH ? null : tidy;
  } catch {
    // More elements than it takes, or a page that it fails at: what the head says is there all the same.
    return null;
  }
}

function isTooDeep(root: Element | null): boolean {
  const open: [Element, number][] = root === null ? [] : [[root, 1]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [element, depth] = next;
    if (depth > MAX_DEPTH) return true;
    for (const child of element.children) open.push([child, depth + 1]);
  }
  return false;
}

/** One line; null for nothing. */
function shortText(text: string | null): string | null {
  const tidy = text?.slice(0, 20_000).split(/\s+/).join(' ').trim() ?? '';
  return tidy === '' ? null : tidy;
}

function absolute(href: string | null, base: string): string | null {
  if (href === null) return null;
  const url = URL.parse(href, base);
  return url === null || !/^https?:$/.test(url.protocol) ? null : url.href;
}

function dateOf(text: string | null): string | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  // What Postgres and people take for a date of publication.
  return Number.isNaN(time) || time < -6e13 || time > 4e12 ? null : new Date(time).toISOString();
}

function secondsOf(text: string | null): number | null {
  return text !== null && /^\d{1,7}$/.test(text) ? Number(text) : null;
}
