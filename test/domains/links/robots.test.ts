import { describe, expect, test } from 'vitest';
import { parseCaptions } from '../../../workers/handlers/links/captions.ts';
import { parseRobots } from '../../../workers/handlers/links/robots.ts';

describe('a robots.txt', () => {
  const rules = parseRobots(
    [
      'User-agent: *',
      'Disallow: /',
      '',
      'User-agent: other',
      'User-agent: Millrace/1.0 # us',
      'Disallow: /private',
      'Allow: /private/open',
      'Disallow: /*.pdf$',
      'Disallow: /a*b*c',
      'Crawl-delay: 2.5',
      '',
      'User-agent: millrace',
      'Disallow: /second-group',
      'Crawl-delay: 1',
    ].join('\r\n'),
    'millrace',
  );

  test.each([
    ['/', true],
    ['/private', false],
    ['/private/open/page', true],
    ['/file.pdf', false],
    ['/file.pdf?download', true],
    ['/a-b-c', false],
    ['/a-c', true],
    ['/second-group', false],
  ])('lets its own groups decide about %s, the longest rule before others', (path, isAllowed) => {
    expect(rules.allows(path)).toBe(isAllowed);
  });

  test('is waited for as long as its slowest group asks', () => {
    expect(rules.delaySeconds).toBe(2.5);
  });

  test('of others alone, empty or of noise, allows all', () => {
    for (const text of ['User-agent: other\nDisallow: /', '', '<html>404</html>', 'Disallow: /'])
      expect(parseRobots(text, 'millrace').allows('/page'), text).toBe(true);
  });

  test('with a rule made to take long is done at once', () => {
    const hostile = parseRobots(`User-agent: *\nDisallow: /${'a*'.repeat(5_000)}b$`, 'millrace');
    expect(hostile.allows(`/${'a'.repeat(4_000)}`)).toBe(true);
  });
});

describe('a file of captions', () => {
  test('in SubRip is read as one in WebVTT, without tags and without lines that roll on', () => {
    const parts = [
      { startMs: 1_000, endMs: 2_500, text: 'First <line' },
      { startMs: 2_500, endMs: 3_661_004, text: 'second' },
    ];
    expect(
      parseCaptions(
        '1\n00:00:01,000 --> 00:00:02,500\n<i>First</i> &lt;line\n\n2\n00:00:02,500 --> 01:01:01,004\nFirst &lt;line\nsecond\n',
      ),
    ).toEqual(parts);
    expect(
      parseCaptions(
        '\ufeffWEBVTT\n\n00:01.000 --> 00:02.500 position:10%\n<v Ann>First</v> &lt;line\n\n00:02.500 --> 1:01:01.004\nsecond\n',
      ),
    ).toEqual(parts);
    expect(parseCaptions('<html>no captions --> here</html>')).toEqual([]);
  });
});
