import type { JobProgressRow } from '../../db/prisma.ts';
import { builder } from '../builder.ts';

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
      description: 'Seconds it thinks it still needs.',
    }),
    runNo: t.exposeInt('runNo', { description: 'Which run of the job says so.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it said so.' }),
  }),
});
