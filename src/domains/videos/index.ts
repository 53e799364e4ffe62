import { defineDomain } from '../domain.ts';
import { VIDEO_ARTIFACTS } from './artifacts.ts';
import { fetchOriginal } from './definitions/fetch-original.ts';
import { ocr } from './definitions/ocr.ts';
import { sample } from './definitions/sample.ts';
import { scanOriginals } from './definitions/scan-originals.ts';
import { segmentIndex } from './definitions/segment-index.ts';
import { transcode } from './definitions/transcode.ts';
import { deletedMediaDuty } from './duties/deleted-media.ts';
import { uploadsDuty } from './duties/expired-uploads.ts';
import { janitorDuty } from './duties/janitor.ts';
import { scanDuty } from './duties/scan.ts';
import { VIDEO_TABLES } from './feed/video-list.ts';
import { fetchPipeline } from './pipeline/fetch.ts';
import { videoPipeline } from './pipeline/pipeline.ts';

/** Videos: their uploads, and the way from an original to a stream with its texts. */
export const videos = defineDomain({
  name: 'videos',
  definitions: [fetchOriginal, transcode, sample, ocr, segmentIndex, scanOriginals],
  artifacts: VIDEO_ARTIFACTS,
  pipelines: [fetchPipeline, videoPipeline],
  feedTables: VIDEO_TABLES,
  graphql: async () => (await import('./graphql/index.ts')).graphqlPart,
  rest: async () => (await import('./rest/index.ts')).restPart,
  duties: (deps) => {
    const { scanSeconds, janitorHours } = deps.config;
    return [
      deletedMediaDuty(deps),
      uploadsDuty(deps),
      ...(scanSeconds > 0 && deps.runs(scanOriginals.key) ? [scanDuty(deps.queue, scanSeconds * 1_000)] : []),
      ...(janitorHours > 0 ? [janitorDuty({ ...deps, graceMs: janitorHours * 3_600_000 })] : []),
    ];
  },
});

export { ORIGINAL_PATH, VIDEO_ID } from './definitions/video-fields.ts';
export { setProcessingDefaults } from './pipeline/processing.ts';
