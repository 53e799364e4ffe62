import type { SourceFile } from './source-files.ts';

/**
 * Words of a home-made language, each with what the field says. Whole words; parts of identifiers and of file
 * names count as words.
 */
const PLAIN: Readonly<Record<string, string>> = {
  'tells?|told|telling': 'notify, report, ask, distinguish',
  'rings?|rang|rungs?|ringing': 'notify; of a video: rendition',
  'bells?': 'notifier, notification',
  'sheets?': 'batch',
  'desks?': 'harness',
  'boards?': 'table, writer, broadcaster',
  'books?': 'registry, writer',
  'keepers?': 'reducer, selector',
  'outlasts?|outlasted': 'retry until available',
  'whoever|whomever': 'the caller, the holder, a client that',
  'left away|leaves? (it )?away|leaving (it )?away': 'omit',
  'so many': 'N, this many',
  'mends?|mended': 'fix, repair',
  'not to be had': 'unavailable',
  'the version before': 'the previous version',
  anew: 'again',
  'reckons?|reckoned|reckoning': 'compute, estimate',
  'for ever': 'forever',
  'of late': 'recently',
  'once more': 'again',
  'gives? back|giving back|given back|gave back': 'return, hand back, release',
  'hangs? on': 'depends on',
  'turned round': 'reversed',
  'puts? right': 'repair, fix',
  'seed 0\\d\\d': 'the contract of the system by its name',
};

const WORDS = Object.entries(PLAIN).map(([words, better]) => ({
  pattern: new RegExp(`\\b(${words})\\b`, 'i'),
  better,
}));

/**
 * Where the words themselves are the subject, what an earlier version made, and migrations that have landed
 * and are never edited.
 */
const EXEMPT =
  /^((scripts\/checks\/plain-words|test\/repository\/plain-words\.test)\.ts|test\/db\/last-before-baseline\.sql|prisma\/migrations\/202612(0\d|1[0-7])\d+_.*\.sql)$/;
/** "Of the jobs each …" is hard to read: a comment begins with what it is about. */
const INVERTED = /^\s*(\/\*\*|\/\/|--) Of |\bdescription: ['"`]Of /;
/** A name that is stored: a kind of artifact. */
const STORED = /hls_rung/g;
const READ = /\.(tsx?|mjs|md|graphql|ya?ml|prisma|sql)$/;

/**
 * Finds the words of a home-made language in names, comments, messages and pages.
 * @returns one line for each, without the file's name
 */
export function plainWords({ path, text }: SourceFile): string[] {
  if (!READ.test(path) || EXEMPT.test(path)) return [];
  const isProduct = /^(src|workers|console|prisma\/routines)\//.test(path) && !path.includes('.gen.');
  const problems: string[] = [];
  const named = inWords(path.replace(/^.*\//, ''));
  for (const { pattern, better } of WORDS) {
    const word = pattern.exec(named)?.[0];
    if (word !== undefined) problems.push(`is named by the word "${word}"; say ${better}`);
  }
  for (const [index, line] of text.split('\n').entries()) {
    if (isProduct && INVERTED.test(line))
      problems.push(`line ${index + 1} begins with "Of"; name the subject first`);
    const words = inWords(line);
    for (const { pattern, better } of WORDS) {
      const word = pattern.exec(words)?.[0];
      if (word !== undefined) problems.push(`line ${index + 1} says "${word}"; say ${better}`);
    }
  }
  return problems;
}

/** `ringBell`, `RING_BELL` and `ring-bell` as words. */
function inWords(text: string): string {
  return text
    .replace(STORED, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ');
}
