import { SYSTEM_TENANT_ID } from '../../../src/core/ids.ts';
import { createFrameTextStore, createSegmentIndexStore } from '../../../src/domains/search/index.ts';
import { fetchOriginal } from '../../../src/domains/videos/definitions/fetch-original.ts';
import { ocr } from '../../../src/domains/videos/definitions/ocr.ts';
import { sample } from '../../../src/domains/videos/definitions/sample.ts';
import { scanOriginals } from '../../../src/domains/videos/definitions/scan-originals.ts';
import { segmentIndex } from '../../../src/domains/videos/definitions/segment-index.ts';
import { transcode } from '../../../src/domains/videos/definitions/transcode.ts';
import { createFetchStore } from '../../../src/domains/videos/stores/fetch-store.ts';
import { createOriginalsStore } from '../../../src/domains/videos/stores/originals-store.ts';
import { createVideoStore } from '../../../src/domains/videos/stores/video-store.ts';
import { Outgoing } from '../../../src/outgoing/outgoing.ts';
import { type DomainHandlers, erased } from '../../domain-handlers.ts';
import type { EngineParts } from '../../engine-parts.ts';
import type { Registration } from '../../handler.ts';
import { media } from '../../provide.ts';
import type { TranscodeLimits } from './limits.ts';
import type { OcrOptions } from './ocr.ts';
import type { FetchOwn, MediaOwn, OcrOwn, ScanOwn, SegmentIndexOwn, TranscodeOwn } from './own.ts';

/** The video system's `transcode` with its handler; the handler's modules are loaded with the first job. */
function transcodeRegistration(limits: TranscodeLimits): Registration<typeof transcode, TranscodeOwn> {
  return {
    definition: transcode,
    load: async () => (await import('./transcode.ts')).createTranscode(limits),
    provide:
      ({ media, database }: EngineParts) =>
      ({ job, lease }) => ({ media, video: createVideoStore(database, job, lease) }),
  };
}

/** The video system's `sample` with its handler. */
function sampleRegistration(limits: TranscodeLimits): Registration<typeof sample, MediaOwn> {
  return {
    definition: sample,
    load: async () => (await import('./sample.ts')).createSample(limits),
    provide: media,
  };
}

/** The video system's `ocr` with its handler. */
function ocrRegistration(options: OcrOptions): Registration<typeof ocr, OcrOwn> {
  return {
    definition: ocr,
    load: async () => (await import('./ocr.ts')).createOcr(options),
    provide:
      ({ media, ocr, database }: EngineParts) =>
      ({ job, lease }) => ({ media, ocr, frameText: createFrameTextStore(database, job, lease) }),
  };
}

/** The video system's `segment_index` with its handler. */
function segmentIndexRegistration(): Registration<typeof segmentIndex, SegmentIndexOwn> {
  return {
    definition: segmentIndex,
    load: async () => (await import('./segment-index.ts')).createSegmentIndex(),
    provide:
      ({ database }: EngineParts) =>
      ({ job, lease }) => ({ segmentIndex: createSegmentIndexStore(database, job, lease) }),
  };
}

/** `fetch_original` with its handler. */
function fetchRegistration(limits: TranscodeLimits): Registration<typeof fetchOriginal, FetchOwn> {
  return {
    definition: fetchOriginal,
    load: async () => (await import('./fetch-original.ts')).createFetchOriginal(limits),
    provide: ({ config, database, queue, storage }: EngineParts) => {
      const outgoing = new Outgoing(config);
      const deps = { db: database, queue, store: storage, config };
      return ({ job }) => ({ outgoing, upload: createFetchStore(deps, job) });
    },
  };
}

/** The video system's scanner of originals with its handler. */
export function scanRegistration(quietSeconds: number): Registration<typeof scanOriginals, ScanOwn> {
  return {
    definition: scanOriginals,
    load: async () => (await import('./scan.ts')).createScan({ quietSeconds }),
    provide:
      ({ database, queue, config }: EngineParts) =>
      ({ job }) => {
        if (job.tenantId !== SYSTEM_TENANT_ID)
          throw new Error('The originals of all tenants are for jobs of the system tenant alone');
        const { scanTenant: tenantSlug, maxUploadBytes } = config;
        return { originals: createOriginalsStore({ database, queue, tenantSlug, maxUploadBytes }) };
      },
  };
}

export const registrations: DomainHandlers = (config) => {
  const limits = { maxVideoSeconds: config.maxVideoSeconds, maxSizeBytes: config.maxUploadBytes };
  return [
    erased(fetchRegistration(limits)),
    erased(transcodeRegistration(limits)),
    erased(sampleRegistration(limits)),
    erased(ocrRegistration({ languages: config.ocrLanguages })),
    erased(segmentIndexRegistration()),
    erased(scanRegistration(config.scanQuietSeconds)),
  ];
};
