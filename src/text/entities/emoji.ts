import { type Entity, plainEntity } from './entity.ts';

/**
 * One emoji as people see it: families, flags and keycaps whole. Besides those that Unicode recommends, ZWJ
 * sequences that lack a variation selector, as many programs write them, and hearts and smileys without one.
 * Other signs that are shown as text by default are not meant as emoji (© ™ ▶ ✔).
 */
const EMOJI =
  /\p{RGI_Emoji}|\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?(?:\u200D\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?){1,8}|[0-9#*]\u20E3|\p{Extended_Pictographic}\uFE0F|[❤♥☺☹]/gv;

/** What makes a variant of an emoji: variation selector and skin tones. */
const VARIANTS = /[\uFE0F\u{1F3FB}-\u{1F3FF}]/gu;

/** Emoji; looked up without skin tone, so that a thumb finds all thumbs. */
export function findEmoji(text: string): Entity[] {
  return [...text.matchAll(EMOJI)].map(({ 0: value, index }) =>
    plainEntity('emoji', { value, start: index }, value.replace(VARIANTS, '') || value),
  );
}
