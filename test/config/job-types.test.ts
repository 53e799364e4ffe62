import { describe, expect, it } from 'vitest';
import { formatJobTypes, parseJobTypes } from '../../src/config/job-types.ts';
import { servedKeys } from '../../workers/served/served-keys.ts';

const KNOWN = ['transcode', 'ocr', 'clip', 'echo'];
const served = (text: string): readonly string[] => servedKeys(parseJobTypes(text), KNOWN);

describe('MILLRACE_JOB_TYPES', () => {
  it.each([
    ['', KNOWN],
    ['transcode,ocr', ['transcode', 'ocr']],
    [' ocr , transcode:2 ', ['transcode', 'ocr']],
    ['!ocr', ['transcode', 'clip', 'echo']],
    ['*,transcode:2', KNOWN],
    ['!ocr,transcode:1', ['transcode', 'clip', 'echo']],
  ])('%j serves %j', (text, keys) => {
    expect(served(text)).toEqual(keys);
  });

  it('reads how many jobs of a type run at a time', () => {
    expect([...parseJobTypes('transcode:2,ocr').concurrency]).toEqual([['transcode', 2]]);
  });

  it.each(['Transcode', '!ocr:2', 'ocr:0', 'ocr:1001', 'ocr:x', 'ocr,ocr', 'ocr:1:2', '!', ',,,a b'])(
    'refuses %j',
    (text) => {
      expect(() => parseJobTypes(text)).toThrow();
    },
  );

  it('is refused by a worker that does not know a type, naming those that it knows', () => {
    expect(() => served('transcod')).toThrow(
      'transcod, which this worker does not know; allowed: clip, echo, ocr, transcode',
    );
    expect(() => served('!transcod')).toThrow('transcod');
  });

  it.each(['transcode:2,ocr', '*,!ocr', '*,!ocr,transcode:1'])('is written as %j again', (text) => {
    expect(formatJobTypes(parseJobTypes(text))).toBe(text);
  });
});
