import { clipGenerate } from '../../../src/core/definitions/clip-generate.ts';
import { transcode } from '../../../src/core/definitions/transcode.ts';
import type { Registration } from '../../handler.ts';
import type { TranscodeLimits } from './limits.ts';

/** Seed 001's `transcode` with its handler; the handler's modules are loaded with the first job. */
export function transcodeRegistration(limits: TranscodeLimits): Registration<typeof transcode> {
  return {
    definition: transcode,
    load: async () => (await import('./transcode.ts')).createTranscode(limits),
  };
}

/** Seed 001's `clip_generate` with its handler. */
export function clipRegistration(limits: TranscodeLimits): Registration<typeof clipGenerate> {
  return {
    definition: clipGenerate,
    load: async () => (await import('./clip.ts')).createClip(limits),
  };
}
