import { callClip } from '../../../src/domains/clips/call-clip.ts';
import { clipGenerate } from '../../../src/domains/clips/clip-generate.ts';
import type { DomainHandlers } from '../../domain-handlers.ts';
import { media } from '../../provide.ts';
import { register } from '../../registry.ts';

/**
 * Clips of videos (`clip_generate`) and of calls (`call_clip`); each loads its modules with its first job.
 */
export const registrations: DomainHandlers = (config) => {
  const limits = { maxVideoSeconds: config.maxVideoSeconds, maxSizeBytes: config.maxUploadBytes };
  return [
    register(clipGenerate, async () => (await import('./video-clip.ts')).createClip(limits), media),
    register(callClip, async () => (await import('./call-clip.ts')).callClipHandler, media),
  ];
};
