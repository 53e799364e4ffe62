import { expect, test } from 'vitest';
import { analyseLocally } from '../../../src/domains/calls/analysis/analyse-locally.ts';
import { transcribePoll } from '../../../src/domains/calls/definitions/transcribe-poll.ts';
import { transcribeStart } from '../../../src/domains/calls/definitions/transcribe-start.ts';
import { type SpokenWord, transcriptHash, turnsOf } from '../../../src/domains/calls/transcript.ts';
import { pollDelaySeconds } from '../../../workers/handlers/calls/poll-delay.ts';
import { heardIn } from '../../../workers/tools/speech/speech-command.ts';

/** Words of one speaker, 300 ms each with 50 ms between; `|` is a pause of 600 ms. */
function spoken(speaker: number, startMs: number, text: string): readonly SpokenWord[] {
  let at = startMs;
  return text.split(' ').flatMap((word) => {
    if (word === '|') {
      at += 600;
      return [];
    }
    const spokenWord = { speaker, text: word, startMs: at, endMs: at + 300, confidence: null };
    at += 350;
    return [spokenWord];
  });
}

test('an analysis has talk, interruptions, silences, questions, keywords and entities with their times', () => {
  const words = [
    ...spoken(0, 0, 'the invoice is late | when will you pay the invoice'),
    ...spoken(1, 3_000, 'next week and the amount is $250 call me'),
    ...spoken(0, 12_000, 'thank you'),
  ];
  const turns = turnsOf(words.toReversed());
  expect(turns.map(({ speaker, startMs }) => [speaker, startMs])).toEqual([
    [0, 0],
    [1, 3_000],
    [0, 12_000],
  ]);
  const found = analyseLocally(turns, 15_000);
  expect(found.speakers.map(({ turnCount, wordCount }) => [turnCount, wordCount])).toEqual([
    [2, 12],
    [1, 9],
  ]);
  expect(found.interruptions).toMatchObject([{ speaker: 1, atMs: 3_000 }]);
  expect(found.silences).toEqual([
    { startMs: 6_100, endMs: 12_000 },
    { startMs: 12_650, endMs: 15_000 },
  ]);
  expect(found.questions).toEqual([{ speaker: 0, atMs: 2_000, text: 'when will you pay the invoice' }]);
  expect(found.keywords[0]).toEqual({ text: 'invoice', count: 2, firstAtMs: 350 });
  expect(found.entities).toMatchObject([{ type: 'number', value: '$250', speaker: 1, atMs: 5_100 }]);
  expect(transcriptHash({ turns })).toBe(transcriptHash({ turns: turnsOf(words) }));
});

test('a poll looks after a fixed interval, or less and less often', () => {
  expect([0, 10_000, 25_000, 1_000_000].map((passedMs) => pollDelaySeconds(passedMs, null))).toEqual([
    10, 15, 22.5, 60,
  ]);
  expect(pollDelaySeconds(1_000_000, 2_500)).toBe(2.5);
});

test('the quotas of SpeechKit are rates of the stages, those of checks in pieces of an hour', () => {
  expect(transcribeStart.rateLimit).toEqual({ count: 500, periodSeconds: 3_600 });
  const { count = 0, periodSeconds = 1 } = transcribePoll.rateLimit ?? {};
  expect((count / periodSeconds) * 3_600).toBe(2_500);
  expect(transcribePoll).toMatchObject({ snoozeDeadlineSeconds: 86_400, maxSnoozes: null });
});

test('a program’s words are read in each of four forms, and anything else is refused', () => {
  expect(heardIn('log\n{"words":[{"word":"hi","start":0.5,"end":0.75}]}', 1).words).toMatchObject([
    { speaker: 1, text: 'hi', startMs: 500, endMs: 750 },
  ]);
  expect(heardIn('{"segments":[{"text":" a b ","start":1,"end":2}]}', 0).turns).toMatchObject([
    { text: 'a b', startMs: 1_000, endMs: 2_000 },
  ]);
  expect(
    heardIn('{"result":{"language":"en"},"transcription":[{"text":" x","offsets":{"from":10,"to":20}}]}', 0),
  ).toMatchObject({
    language: 'en',
    turns: [{ text: 'x', startMs: 10, endMs: 20 }],
  });
  expect(
    heardIn('{"text":"hello you","tokens":[" hel","lo"," you"],"timestamps":[0,0.2,0.5]}', 0).words,
  ).toMatchObject([
    { text: 'hello', startMs: 0 },
    { text: 'you', startMs: 500 },
  ]);
  expect(() => heardIn('nothing', 0)).toThrow('printed no JSON');
  expect(() => heardIn('{"other":1}', 0)).toThrow('printed an object with other');
});
