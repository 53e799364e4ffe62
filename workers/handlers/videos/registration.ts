import { clipGenerate } from '../../../src/domains/clips/clip-generate.ts';
import { ocr } from '../../../src/domains/videos/definitions/ocr.ts';
import { sample } from '../../../src/domains/videos/definitions/sample.ts';
import { scanOriginals } from '../../../src/domains/videos/definitions/scan-originals.ts';
import { segmentIndex } from '../../../src/domains/videos/definitions/segment-index.ts';
import { transcode } from '../../../src/domains/videos/definitions/transcode.ts';
import type { Registration } from '../../handler.ts';
import type { TranscodeLimits } from './limits.ts';
import type { OcrOptions } from './ocr.ts';

/** The video system's `transcode` with its handler; the handler's modules are loaded with the first job. */
export function transcodeRegistration(limits: TranscodeLimits): Registration<typeof transcode> {
  return {
    definition: transcode,
    load: async () => (await import('./transcode.ts')).createTranscode(limits),
  };
}

/** The video system's `sample` with its handler. */
export function sampleRegistration(limits: TranscodeLimits): Registration<typeof sample> {
  return {
    definition: sample,
    load: async () => (await import('./sample.ts')).createSample(limits),
  };
}

/** The video system's `ocr` with its handler. */
export function ocrRegistration(options: OcrOptions): Registration<typeof ocr> {
  return {
    definition: ocr,
    load: async () => (await import('./ocr.ts')).createOcr(options),
  };
}

/** The video system's `segment_index` with its handler. */
export function segmentIndexRegistration(): Registration<typeof segmentIndex> {
  return {
    definition: segmentIndex,
    load: async () => (await import('./segment-index.ts')).createSegmentIndex(),
  };
}

/** The video system's `clip_generate` with its handler. */
export function clipRegistration(limits: TranscodeLimits): Registration<typeof clipGenerate> {
  return {
    definition: clipGenerate,
    load: async () => (await import('./clip.ts')).createClip(limits),
  };
}

/** The video system's scanner of originals with its handler. */
export function scanRegistration(quietSeconds: number): Registration<typeof scanOriginals> {
  return {
    definition: scanOriginals,
    load: async () => (await import('./scan.ts')).createScan({ quietSeconds }),
  };
}
