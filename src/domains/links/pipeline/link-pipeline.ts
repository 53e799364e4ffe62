import { isUuid } from '../../../core/ids.ts';
import type { Settlement } from '../../../core/outcome.ts';
import { pipelineDedupeKey } from '../../../core/pipelines/dedupe-key.ts';
import type { FinalEffects, FinishedJob, StageError } from '../../../core/pipelines/pipeline.ts';
import { enrich } from '../definitions/enrich.ts';
import { scrape } from '../definitions/scrape.ts';
import type { LinkChange } from './link-change.ts';

const NOTHING: FinalEffects<LinkChange> = { changes: [], next: [] };
/** What the column holds. */
const MAX_ERROR_LENGTH = 4_000;

/** What the end of a link's job changes, whatever ended it. */
export function linkOnFinal(
  job: FinishedJob,
  definitionKey: string,
  settlement: Settlement,
): FinalEffects<LinkChange> {
  const linkId = linkIdOf(job);
  if (linkId === null) return NOTHING;
  const failed = (error: Pick<StageError, 'type' | 'message'>): LinkChange => ({
    kind: 'link',
    linkId,
    status: 'failed',
    error: `${error.type}: ${error.message}`.slice(0, MAX_ERROR_LENGTH),
  });
  if (settlement.status === 'canceled')
    return { changes: [failed({ type: 'Canceled', message: settlement.reason })], next: [] };
  if (settlement.status !== 'succeeded') return { changes: [failed(settlement.error)], next: [] };
  if (definitionKey === enrich.key) return { changes: [{ kind: 'link', linkId, status: 'done' }], next: [] };
  return {
    changes: [{ kind: 'link', linkId, status: 'enriching' }],
    next: [
      {
        definitionKey: enrich.key,
        payload: { link_id: linkId },
        dedupeKey: pipelineDedupeKey(enrich.key, linkId),
      },
    ],
    ifRefused: (error) => [failed(error)],
  };
}

/** Null also for a job of another program under these names, whose links have no UUIDs. */
function linkIdOf({ subject }: FinishedJob): string | null {
  return subject !== null && isUuid(subject.id) ? subject.id : null;
}

/** A retried job puts its link back to where it was. */
export function linkOnRequeue(job: FinishedJob, definitionKey: string): FinalEffects<LinkChange> {
  const linkId = linkIdOf(job);
  if (linkId === null) return NOTHING;
  const status = definitionKey === scrape.key ? 'pending' : 'enriching';
  return { changes: [{ kind: 'link', linkId, status }], next: [] };
}
