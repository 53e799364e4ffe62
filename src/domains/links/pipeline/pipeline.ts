import { definePipeline } from '../../../core/pipelines/pipeline.ts';
import type { Transaction } from '../../../db/database.ts';
import { enrich } from '../definitions/enrich.ts';
import { scrape } from '../definitions/scrape.ts';
import { setLinkStatus } from '../sql/set-link-status.ts';
import type { LinkChange } from './link-change.ts';
import { linkOnFinal, linkOnRequeue } from './link-pipeline.ts';

/** `scrape`, then `enrich`. */
export const linkPipeline = definePipeline<Transaction, LinkChange>({
  definitionKeys: [scrape.key, enrich.key],
  subjectType: 'link',
  readsPayload: false,
  onFinal: linkOnFinal,
  onRequeue: linkOnRequeue,
  apply: async (tx, job, change) => {
    const error = change.status === 'failed' ? change.error : null;
    const { rowCount } = await tx.query(setLinkStatus, [job.tenantId, change.linkId, change.status, error]);
    return rowCount === 1;
  },
});
