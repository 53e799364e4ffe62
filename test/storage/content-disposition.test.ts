import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dispositionOf, fileNameOf } from '../../src/storage/content-disposition.ts';

test.each([
  ['My talk', 'a/master.mp4', '', 'My talk.mp4'],
  ['My talk.MP4', 'a/master.mp4', '', 'My talk.mp4'],
  ['My talk.mov', 'a/master.mp4', '', 'My talk.mov.mp4'],
  ['../../etc/passwd', 'a/master.mkv', '', 'etc passwd.mkv'],
  ['a"b\\c:d*e?<f>|g', 'a/master.ts', '', 'a b c d e f g.ts'],
  ['‮gpj.exe', 'a/master.mp4', '', 'gpj.exe.mp4'],
  [' . ', 'a/master.mp4', '', 'video.mp4'],
  ['Müller 🎬 会議', 'a/x.mp4', '00.00.01.000-00.00.02.500', 'Müller 🎬 会議 00.00.01.000-00.00.02.500.mp4'],
])('the title %j of %s with the detail %j is saved as %j', (title, key, detail, name) => {
  expect(fileNameOf(title, key, detail)).toBe(name);
});

test('a name beyond ASCII comes in both forms of RFC 6266', () => {
  expect(dispositionOf('My talk.mp4')).toBe('inline; filename="My talk.mp4"');
  expect(dispositionOf("Müller's 50% 会議.mp4")).toBe(
    `inline; filename="Muller's 50_ __.mp4"; filename*=UTF-8''M%C3%BCller%27s%2050%25%20%E4%BC%9A%E8%AD%B0.mp4`,
  );
});

test.each([
  ['\u0301', 'inline; filename="video.mp4"; filename*=UTF-8\'\'%CC%81.mp4'],
  ['\ufdfa'.repeat(80), expect.stringMatching(/^inline; filename="_[_ ]{149}\.mp4"; /)],
])('a title of marks alone, and one of ligatures, have a plain name too', (title, header) => {
  expect(dispositionOf(fileNameOf(title, 'videos/original/1/master.mp4'))).toEqual(header);
});

test('no title breaks the header or makes it long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (title) => {
      const header = dispositionOf(fileNameOf(title, 'videos/original/1/master.mp4'));
      expect(header).toMatch(/^inline; filename="[^"\\]+\.mp4"(; filename\*=UTF-8''[A-Za-z0-9%!.~_-]+)?$/);
      expect(header.length).toBeLessThan(1200);
    }),
  );
});
