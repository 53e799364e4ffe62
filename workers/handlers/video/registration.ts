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
