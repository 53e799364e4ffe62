/**
 * Words that are frequent in one language and not in the others, and letters that only it has, by Tesseract's
 * names.
 */
const SIGNS: Readonly<
  Record<string, { readonly words: ReadonlySet<string>; readonly letters: RegExp | null }>
> = {
  eng: {
    words: new Set('the and of to is are was for with that this you your from not have it be by'.split(' ')),
    letters: null,
  },
  deu: {
    words: new Set(
      'der die das und ist nicht ein eine mit für auf von zu den dem im sich auch wir sie ich'.split(' '),
    ),
    letters: /[ß]|ä|ö|ü/,
  },
  fra: {
    words: new Set(
      'le la les et est une des du pour dans que qui vous nous pas sur avec au ce il elle'.split(' '),
    ),
    letters: /[éèêëàâçùûîïôœ]/,
  },
  spa: {
    words: new Set('el los las y es una por para que con no del se su al como más está'.split(' ')),
    letters: /[ñ¿¡óíú]/,
  },
  ita: {
    words: new Set('il lo gli e è una per che con non del della si sono come più di'.split(' ')),
    letters: /[àèìòù]/,
  },
  por: {
    words: new Set('o os as e é uma por para que com não do da se seu mais está em'.split(' ')),
    letters: /[ãõç]/,
  },
  nld: {
    words: new Set('de het een en is niet met voor op van te dat zijn ook wij je ik'.split(' ')),
    letters: null,
  },
};
/** Scripts that only some languages are written in, with one of these languages. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, 'jpn'],
  [/\p{Script=Hangul}/u, 'kor'],
  [/\p{Script=Han}/u, 'chi_sim'],
  [/\p{Script=Han}/u, 'chi_tra'],
  [/\p{Script=Cyrillic}/u, 'rus'],
  [/\p{Script=Arabic}/u, 'ara'],
  [/\p{Script=Hebrew}/u, 'heb'],
  [/\p{Script=Greek}/u, 'ell'],
  [/\p{Script=Devanagari}/u, 'hin'],
  [/\p{Script=Thai}/u, 'tha'],
];
const LETTER_WEIGHT = 2;

/**
 * The language of a line among those that its video may have: that of its script, else the one of which it
 * has most frequent words and letters of its own, else the first. Tesseract itself does not say which of
 * several it has read a word in.
 * @param languages at least one, Tesseract's names
 */
export function lineLanguage(text: string, languages: readonly string[]): string {
  const [first = 'eng'] = languages;
  if (languages.length <= 1) return first;
  const byScript = SCRIPTS.find(([script, language]) => languages.includes(language) && script.test(text));
  if (byScript !== undefined) return byScript[1];
  const lower = text.toLowerCase();
  const words = lower.match(/\p{L}+/gu) ?? [];
  let best = { language: first, score: 0 };
  for (const language of languages) {
    const signs = SIGNS[language];
    if (signs === undefined) continue;
    const score =
      words.filter((word) => signs.words.has(word)).length +
      (signs.letters?.test(lower) === true ? LETTER_WEIGHT : 0);
    if (score > best.score) best = { language, score };
  }
  return best.language;
}
