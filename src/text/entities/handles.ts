import { type Entity, plainEntity } from './entity.ts';

const WORD = '[\\p{L}\\p{M}\\p{N}_]';

/**
 * `@name` with the dots and hyphens that networks allow inside, and Mastodon's `@name@host`. Not what stands
 * behind a letter (e-mail) or a slash (part of an address), nor before a bracket or slash (`@Component(`,
 * `@types/node`: source text).
 */
const MENTION = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}_@＠/#&=+%-])[@＠](${WORD}{1,64}(?:[.-]${WORD}{1,64}){0,8}(?:@(?:[\\p{L}\\p{N}-]{1,63}\\.){1,8}[\\p{L}]{2,63})?)(?![\\p{L}\\p{M}\\p{N}_@(/])`,
  'gu',
);

/**
 * Twitter's rule, which most networks share: letters of any script, digits, underscores, and joiners between
 * them.
 */
const HASHTAG = /[#＃]((?:[\p{L}\p{M}\p{N}_\u30FB\u00B7]|\u200C|\u200D){1,140})/gu;
const BEFORE_HASHTAG = /[\p{L}\p{M}\p{N}_&#＃/]/u;
/** A colour in CSS; shorter ones may as well be words. */
const COLOUR = /^(?=.*\d)(?:[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** Handles of people. */
export function findMentions(text: string): Entity[] {
  const found: Entity[] = [];
  for (const { 0: value, 1: name = '', index } of text.matchAll(MENTION)) {
    if (/\p{L}/u.test(name)) found.push(plainEntity('mention', { value, start: index }, normalize(name)));
  }
  return found;
}

/** Hashtags; a number alone is none ("#1"). */
export function findHashtags(text: string): Entity[] {
  const found: Entity[] = [];
  let lastEnd = -1;
  for (const { 0: value, 1: tag = '', index } of text.matchAll(HASHTAG)) {
    // Where tags stand without a space between them, each is one.
    const isFree = index === lastEnd || !BEFORE_HASHTAG.test(text.charAt(index - 1));
    if (!isFree || !/\p{L}/u.test(tag) || COLOUR.test(tag)) continue;
    lastEnd = index + value.length;
    found.push(plainEntity('hashtag', { value, start: index }, normalize(tag)));
  }
  return found;
}

function normalize(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
