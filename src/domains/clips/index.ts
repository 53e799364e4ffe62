import { defineDomain } from '../domain.ts';
import { CLIP_ARTIFACT } from './artifacts.ts';
import { callClip } from './call-clip.ts';
import { clipGenerate } from './clip-generate.ts';
import { clipsDuty } from './duties/expired-clips.ts';
import { CLIP_TABLES } from './feed/clip-list.ts';
import { clipPipeline } from './pipeline.ts';

/** Pieces of videos and of calls, cut out on demand. */
export const clips = defineDomain({
  name: 'clips',
  definitions: [clipGenerate, callClip],
  artifacts: [CLIP_ARTIFACT],
  pipelines: [clipPipeline],
  feedTables: CLIP_TABLES,
  graphql: async () => (await import('./graphql/index.ts')).graphqlPart,
  rest: async () => (await import('./rest/index.ts')).restPart,
  duties: (deps) => [clipsDuty(deps)],
});
