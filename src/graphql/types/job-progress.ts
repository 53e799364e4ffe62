import type { JobProgressRow } from '../../db/prisma.ts';
import { type ProgressPreview, progressPreview } from '../../jobs/progress-preview.ts';
import { builder } from '../builder.ts';

const ProgressPreviewType = builder.objectRef<ProgressPreview>('ProgressPreview').implement({
  description:
    'A signed URL of something that a run has published while it works. It needs no token, and ends at `expiresAt`.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Where it is.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when the URL is good.' }),
  }),
});

export const JobProgressType = builder.objectRef<JobProgressRow>('JobProgress').implement({
  description: 'How far a run is, as its handler last said.',
  fields: (t) => ({
    percent: t.exposeFloat('percent', {
      nullable: true,
      description: '0 to 100; null while the length of the work is unknown.',
    }),
    stage: t.exposeString('stage', { nullable: true, description: 'What it is at: `probe`, `transcode` …' }),
    message: t.exposeString('message', { nullable: true, description: 'The handler’s own words.' }),
    etaSeconds: t.exposeFloat('etaSeconds', {
      nullable: true,
      description:
        'Seconds that it still needed at `updatedAt`: its handler’s own estimate, else computed from how fast the percent grew.',
    }),
    preview: t.field({
      type: ProgressPreviewType,
      nullable: true,
      description: 'What there is to see already, where the handler has published something.',
      resolve: ({ previewKey }, _args, { deps }) => progressPreview(deps.jobs, previewKey),
    }),
    runNo: t.exposeInt('runNo', { description: 'Which run of the job says so.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it said so.' }),
  }),
});
