import { findEmoji } from './emoji.ts';
import type { Entity } from './entity.ts';
import { findHashtags, findMentions } from './handles.ts';
import { hideSpans } from './hide-spans.ts';
import { findNumbers } from './numbers.ts';
import { findPhones } from './phones.ts';
import { findBareUrls, findEmailSpans, findUrls } from './urls.ts';

/**
 * Finds handles, hashtags, addresses, emoji and numbers in a line of text, in the order in which they
 * stand. No two overlap: what one finder takes, the later ones do not see, so that a number in an address is
 * none of its own. E-mail addresses are none of the kinds, and hide their parts from all. Takes time in
 * proportion to the text's length, whatever is in it; never throws.
 */
export function findEntities(text: string): Entity[] {
  const found: Entity[] = [];
  let left = text;
  const take = (entities: readonly Entity[]): void => {
    found.push(...entities);
    left = hideSpans(left, entities);
  };
  take(findUrls(left));
  take(findMentions(left));
  left = hideSpans(left, findEmailSpans(left));
  take(findBareUrls(left));
  take(findHashtags(left));
  take(findEmoji(left));
  take(findPhones(left));
  take(findNumbers(left));
  return found.sort((a, b) => a.start - b.start);
}
