import { describe, expect, it } from 'vitest';
import { plainWords } from '../../scripts/checks/plain-words.ts';
import { findSourceProblems } from '../../scripts/checks/source-rules.ts';

const problemsOf = (text: string, path = 'src/queue/claim.ts') => plainWords({ path, text });

describe('the rule of plain words', () => {
  it.each([
    ['a comment', '/** Told of each run. */', 'Told'],
    ['part of an identifier', 'const bellWatch = createWatch();', 'bell'],
    ['a constant', 'const MAX_RINGS = 5;', 'RINGS'],
    ['a title', "test('whoever comes back gets the rest', () => {});", 'whoever'],
    ['a message', "throw new Error('it was left away');", 'left away'],
    ['an old word', '// It is counted anew.', 'anew'],
    ['a phrase', 'the slot is given back', 'given back'],
    ['a page about another system by its number', 'as seed 001 says', 'seed 001'],
  ])('refuses its words in %s, with the line', (_where, text, word) => {
    expect(problemsOf(`const one = 1;\n${text}\n`)).toEqual([
      expect.stringMatching(new RegExp(`^line 2 says "${word}"; say `)),
    ]);
  });

  it('refuses a comment that begins with "Of", where the subject comes last', () => {
    expect(problemsOf('/** Of two lanes, the one that is served first. */')).toEqual([
      'line 1 begins with "Of"; name the subject first',
    ]);
    expect(problemsOf('/** The lane of two that is served first. */')).toEqual([]);
  });

  it('refuses a file that is named by one of its words', () => {
    expect(problemsOf('', 'src/db/log-ring.ts')).toEqual([
      expect.stringMatching(/^is named by the word "ring"/),
    ]);
  });

  it('lets words be that only contain one of its words, and a name that is stored', () => {
    const text = "const storyboard = keyboard('string', 'bringing', 'hls_rung');";
    expect(problemsOf(text)).toEqual([]);
  });

  it('is one of the rules that the check of the sources runs', () => {
    expect(findSourceProblems([{ path: 'docs/start.md', text: 'Workers are told.\n' }])).toHaveLength(1);
  });
});
