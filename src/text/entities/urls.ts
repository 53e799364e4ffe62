import { parse } from 'tldts';
import { type Entity, plainEntity } from './entity.ts';
import type { Span } from './hide-spans.ts';

/**
 * Ends an address although it stands directly behind it: quotes, and the full-width marks of Chinese and
 * Japanese.
 */
const STOPS = '\\s<>"`{}|\\\\^\uFFFC\u3001\u3002\uFF0C\uFF1B\uFF1A\uFF01\uFF1F「」『』（）【】《》“”„«»';
const WITH_SCHEME = new RegExp(`(?<![a-z0-9])(?:https?|ftps?|wss?)://[^${STOPS}]+`, 'giu');

const LABEL = '[\\p{L}\\p{M}\\p{N}-]{1,63}';
const HOST = `(?:${LABEL}\\.){1,8}${LABEL}|localhost(?=:\\d)`;
const BARE = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}_@./\\\\-])(?<host>${HOST})(?<port>:\\d{1,5}(?!\\d))?(?<path>[/?#][^${STOPS}]*)?(?![\\p{L}\\p{M}\\p{N}_@-])`,
  'giu',
);

const EMAIL =
  /(?<![\p{L}\p{M}\p{N}._%+@-])[\p{L}\p{M}\p{N}._%+-]{1,64}@(?:[\p{L}\p{M}\p{N}-]{1,63}\.){1,8}[\p{L}\p{M}]{2,63}/gu;

/** Countries' domains that are far more often seen as the end of a file's name. */
const FILE_ENDINGS = new Set(['cc', 'md', 'ml', 'mm', 'mov', 'ps', 'py', 'rs', 'sh', 'so', 'tf', 'zip']);

/** Addresses with a scheme; scripts without spaces put letters right before it. */
export function findUrls(text: string): Entity[] {
  const found: Entity[] = [];
  for (const match of text.matchAll(WITH_SCHEME)) {
    const value = cutTail(match[0]);
    const host = hostOf(value.slice(value.indexOf('://') + 3));
    if (host !== '') found.push(url(value, match.index, host));
  }
  return found;
}

/**
 * Addresses without one: a host below a known top-level domain, or an IP address or `localhost` with a port
 * or path.
 */
export function findBareUrls(text: string): Entity[] {
  const found: Entity[] = [];
  for (const { 0: whole, index, groups } of text.matchAll(BARE)) {
    const { host = '', port, path } = groups ?? {};
    if (!isBareHost(host, port !== undefined, path !== undefined)) continue;
    found.push(url(cutTail(whole), index, host.toLowerCase()));
  }
  return found;
}

/** Where e-mail addresses stand. */
export function findEmailSpans(text: string): Span[] {
  return [...text.matchAll(EMAIL)].map(({ 0: whole, index }) => ({
    start: index,
    end: index + whole.length,
  }));
}

function isBareHost(host: string, hasPort: boolean, hasPath: boolean): boolean {
  const labels = host.split('.');
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) return false;
  if (labels.length === 1) return hasPort;
  const known = parse(host, { validateHostname: false });
  if (labels.every((label) => /^\d+$/.test(label)))
    return known.isIp === true && labels.length === 4 && (hasPort || hasPath);
  if (known.isIcann !== true || known.domain === null) return false;
  const last = labels.at(-1) ?? '';
  // "the end.It begins": a space was lost behind a full stop.
  if (/^\p{Lu}\p{Ll}/u.test(last) && !/^\p{Lu}/u.test(host)) return false;
  return hasPath || labels[0]?.toLowerCase() === 'www' || !FILE_ENDINGS.has(last.toLowerCase());
}

function url(value: string, start: number, host: string): Entity {
  const normalized = value
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^[^/?#@]*@/, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '');
  return {
    ...plainEntity('url', { value, start }, normalized),
    domain: parse(host, { validateHostname: false }).domain ?? host,
  };
}

/** The host of what follows `://`, lower-case; '' where there is none. */
function hostOf(rest: string): string {
  const authority = /^[^/?#]{0,300}/.exec(rest)?.[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.startsWith('[')) return /^\[[0-9a-f:.]{2,45}\]/i.exec(host)?.[0].toLowerCase() ?? '';
  const name = host.replace(/:\d{0,5}$/, '').toLowerCase();
  return /^[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*\.?$/u.test(name) ? name.replace(/\.$/, '') : '';
}

const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '>': '<' };

/** Without the marks of the sentence around it: `(see example.com/a_(b)).` ends with `a_(b)`. */
function cutTail(value: string): string {
  const surplus: Record<string, number> = {};
  for (const letter of value) {
    if (letter === '(' || letter === '[') surplus[letter] = (surplus[letter] ?? 0) - 1;
    const opening = CLOSING[letter];
    if (opening !== undefined) surplus[opening] = (surplus[opening] ?? 0) + 1;
  }
  let end = value.length;
  for (; end > 0; end--) {
    const last = value.charAt(end - 1);
    if (/[.,;:!?'’*_~…·-]/.test(last)) continue;
    const opening = CLOSING[last];
    if (opening === undefined || (surplus[opening] ?? 0) <= 0) break;
    surplus[opening] = (surplus[opening] ?? 0) - 1;
  }
  return value.slice(0, end);
}
