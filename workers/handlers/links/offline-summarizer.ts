import type { LinkEntity } from '../../../src/domains/links/stores/contract.ts';
import type { Summarizer } from './summarizer.ts';

const MAX_SENTENCES = 400;
const MAX_TEXT_LENGTH = 100_000;
const SUMMARY_SENTENCES = 4;
const MAX_SUMMARY_LENGTH = 1_200;
const TOPICS = 6;
const COMMON = new Set(
  'about after again also and another any are because been before being between both but came can could did does doing don down during each even ever every for from get got had has have having here him his how into its itself just know like made make many may more most much must myself never not now off once one only other our out over own really said same she should since some still such take than that the their them then there these they thing things this those though through too under until upon use used using very want was way well were what when where which while who why will with within without would yes yet you your yourself'.split(
    ' ',
  ),
);

/**
 * The sentences of the text that say most of what it is about, in their order; its frequent words; names by
 * their capitals. Nothing is invented.
 */
export const offlineSummarizer: Summarizer = {
  name: 'extractive',
  summarize: async ({ title, text }) => {
    const sentences = sentencesOf(text);
    const counts = countWords(sentences.join(' '));
    for (const word of wordsOf(title ?? '')) counts.set(word, (counts.get(word) ?? 0) + 2);
    const chosen = sentences
      .map((sentence, index) => ({ sentence, index, score: scoreOf(sentence, index, counts) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, SUMMARY_SENTENCES)
      .sort((a, b) => a.index - b.index);
    return {
      summary: chosen
        .map(({ sentence }) => sentence)
        .join(' ')
        .slice(0, MAX_SUMMARY_LENGTH),
      topics: topicsOf(counts),
      entities: entitiesOf(sentences),
    };
  },
};

function sentencesOf(text: string): readonly string[] {
  const segments = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(
    text.slice(0, MAX_TEXT_LENGTH),
  );
  const sentences: string[] = [];
  for (const { segment } of segments) {
    const sentence = segment.split(/\s+/).join(' ').trim();
    if (sentence.length >= 20) sentences.push(sentence.slice(0, 600));
    if (sentences.length === MAX_SENTENCES) break;
  }
  return sentences.length > 0 ? sentences : [text.slice(0, 600).trim()];
}

function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]{3,40}/gu) ?? []).filter(
    (word) => !COMMON.has(word) && !/^\d+$/.test(word),
  );
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * The mean weight of its words, so that a long sentence is worth no more for its length; the first ones are
 * worth a little more.
 */
function scoreOf(sentence: string, index: number, counts: ReadonlyMap<string, number>): number {
  const words = [...new Set(wordsOf(sentence))];
  if (words.length < 4) return 0;
  const weight = words.reduce((sum, word) => sum + Math.log2(1 + (counts.get(word) ?? 0)), 0);
  return (weight / Math.sqrt(words.length + 4)) * (1 + 0.3 / (index + 1));
}

function topicsOf(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts]
    .filter(([word]) => word.length >= 4)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, TOPICS)
    .map(([word]) => word);
}

/** Runs of words with capitals that do not begin a sentence, named twice at least or of two words. */
function entitiesOf(sentences: readonly string[]): readonly LinkEntity[] {
  const counts = new Map<string, number>();
  for (const sentence of sentences)
    for (const { 0: found, index } of sentence.matchAll(
      /\p{Lu}[\p{L}\p{N}'’-]{1,40}(?: \p{Lu}[\p{L}\p{N}'’-]{1,40}){0,3}/gu,
    )) {
      const name = index === 0 ? found.split(' ').slice(1).join(' ') : found;
      if (name.length > 2 && !COMMON.has(name.toLowerCase())) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  return [...counts]
    .filter(([name, count]) => count > 1 || name.includes(' '))
    .sort(([, a], [, b]) => b - a)
    .slice(0, 20)
    .map(([name]) => ({ name, kind: 'other' }));
}
