import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { defineJob } from '../../src/core/definition.ts';
import { done } from '../../src/core/outcome.ts';
import type { Tools } from '../../workers/handler.ts';
import { createOwnOf, type ProvidedRun, type WorkerParts } from '../../workers/provide.ts';
import { builtInRegistrations } from '../../workers/registrations.ts';
import { job } from '../../workers/registry.ts';
import { createToolsFor } from '../../workers/runtime/run-tools.ts';

const parts = {
  media: { ffmpegPath: '/usr/bin/ffmpeg' },
  ocr: { engine: 'tesseract' },
  database: {},
} as unknown as WorkerParts;
const run = { job: { tenantId: 't' }, lease: {} } as unknown as ProvidedRun;

test('a handler has only what its registration provides: one that sends mail has neither OCR nor ffmpeg', async () => {
  const mail = defineJob({ key: 'mail', payload: Type.Object({}) });
  const ownOf = createOwnOf(
    [job(mail, async () => done()), ...(await builtInRegistrations(loadConfig({})))],
    parts,
  );
  expect(ownOf('mail', run)).toBeUndefined();
  expect(ownOf('ocr', run)).toMatchObject({ ocr: parts.ocr, media: parts.media });
  expect(Object.keys(ownOf('segment_index', run) as object)).toEqual(['segmentIndex']);
  expect(() => ownOf('scan_originals', run)).toThrow('system tenant');
  const { tools } = createToolsFor({ storage: {} as Tools['storage'], temporaryDirectory: '/nonexistent' })();
  expect(Object.keys(tools)).toEqual(['storage', 'tempDir']);
});
