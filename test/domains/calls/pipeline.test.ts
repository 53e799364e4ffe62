import { describe, expect, test } from 'vitest';
import type { Settlement } from '../../../src/core/outcome.ts';
import {
  CALL_STAGES,
  type CallStage,
  callOnFinal,
  callOnRequeue,
} from '../../../src/domains/calls/pipeline/call-stages.ts';

const CALL_ID = '018f0000-0000-7000-8000-000000000001';
const NOTHING = { changes: [], next: [] };
const RESULTS: Readonly<Record<CallStage, object>> = {
  extract_audio: {
    ...{ audioPath: 'calls/a/audio.flac', recordingKey: 'call-inbox/a', sizeBytes: 1, durationMs: 1000 },
    ...{ channelCount: 1, loudnessLufs: null, isSilent: false, transcriptHash: null },
  },
  transcribe_start: {
    ...{ operationId: 'o', provider: 'p', startedAtMs: 1, oggPath: null, transcriptHash: null },
  },
  transcribe_poll: { transcriptHash: 'h', provider: 'p', audioSeconds: 1 },
  analyze: { transcriptHash: 'h', version: 1 },
};

const about = (id: string) => ({ payload: null, subject: { type: 'call', id } });
const succeeded = (result: unknown): Settlement => ({
  status: 'succeeded',
  result,
  skippedReason: null,
  artifacts: [],
});

describe.each(CALL_STAGES)('the end of %s', (stage) => {
  test('leads on from a result of its form', () => {
    const { changes, next } = callOnFinal(about(CALL_ID), stage, succeeded(RESULTS[stage]));
    expect(changes).toMatchObject([{ callId: CALL_ID, set: { error: null } }]);
    expect(next).toHaveLength(stage === 'analyze' ? 0 : 1);
  });

  test('changes nothing about a call of somebody else’s program, whose id is no UUID', () => {
    const error = { type: 'E', message: 'm', timestamp: '2026-01-01T00:00:00Z', retryCount: 0 };
    for (const settlement of [
      succeeded(null),
      succeeded(RESULTS[stage]),
      { status: 'dead_letter', error } as Settlement,
      { status: 'canceled', reason: 'r' } as Settlement,
    ])
      expect(callOnFinal(about('call-7'), stage, settlement)).toEqual(NOTHING);
    expect(callOnRequeue(about('call-7'), stage)).toEqual(NOTHING);
  });

  test('fails the call, and leads nowhere, with a result that is not of its form', () => {
    for (const result of [null, undefined, 'text', 7, [], {}, { transcriptHash: 7 }])
      expect(callOnFinal(about(CALL_ID), stage, succeeded(result))).toMatchObject({
        changes: [{ status: 'failed', set: { error: { type: 'InvalidResult' } } }],
        next: [],
      });
  });
});

test('a start that names neither an operation nor a transcript leads nowhere', () => {
  const result = { ...RESULTS.transcribe_start, operationId: null };
  expect(callOnFinal(about(CALL_ID), 'transcribe_start', succeeded(result)).next).toEqual([]);
});
