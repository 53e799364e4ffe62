import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import type { Transaction } from '../../../db/database.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import { sqlState } from '../../../db/retryable.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { urlOrReason } from '../../../outgoing/outgoing-policy.ts';
import { scrape } from '../definitions/scrape.ts';
import { findLinkBySourceRef } from '../sql/find-link-by-source-ref.ts';
import { type InsertedLinkRow, insertLink } from '../sql/insert-link.ts';

export interface SubmittedLink {
  readonly url: string;
  /** The submitter's own id: the same one gives the same link. */
  readonly sourceRef?: string | null | undefined;
}

export interface SubmitLinkResult {
  readonly linkId: string;
  /** False when there was a link with that `sourceRef`. */
  readonly created: boolean;
}

export type SubmitLinkDeps = Pick<JobsDeps, 'db' | 'queue'> & {
  readonly config: Pick<JobsDeps['config'], 'outgoingAllowed' | 'outgoingPorts'>;
};

/**
 * Makes a link, and with its row, in the same transaction, the job that scrapes it.
 * @throws DomainError `Forbidden` · `InvalidArgument` (`url`: not an http(s) URL, or one that points to no
 *   public address; `sourceRef`) · `DefinitionInactive`
 */
export const submitLink = defineUseCase(
  { name: 'submitLink', role: 'member', scope: 'jobs:write', toDo: 'submit links' },
  async (deps: SubmitLinkDeps, actor: Caller, link: SubmittedLink): Promise<SubmitLinkResult> => {
    const { sourceRef = null } = link;
    const url = checkedUrl(link.url, deps);
    if (sourceRef !== null) checkFilterText('sourceRef', sourceRef, 1_024);
    const { tenantId, name } = actor;
    const result = await deps.db.transaction({ role: 'api', tenantId }, async (tx) => {
      const written = await writeLink(tx, tenantId, { url, sourceRef, createdBy: name });
      await recordOutcome(tx, written);
      return written;
    });
    if (result.created) deps.queue.notifyEnqueued([{ kind: 'created', id: result.linkId }]);
    return result;
  },
);

/**
 * Writes a link, and by its trigger the job that scrapes it, in a transaction of the caller's.
 * @param link its `url` as `checkedUrl` gives it
 * @throws DomainError `DefinitionInactive`
 */
export async function writeLink(
  tx: Transaction,
  tenantId: string,
  link: { readonly url: string; readonly sourceRef: string | null; readonly createdBy: string },
): Promise<SubmitLinkResult> {
  const values = [tenantId, link.url, link.sourceRef, link.createdBy];
  const { rows } = await tx.query<InsertedLinkRow>(insertLink, values).catch((error: unknown) => {
    if (sqlState(error) !== '55000') throw error;
    const message = `Job definition ${scrape.key} is not active.`;
    throw new DomainError('DefinitionInactive', message, { field: 'url' }, error);
  });
  if (rows[0] !== undefined) return { linkId: rows[0].id, created: true };
  const found = await tx.query<InsertedLinkRow>(findLinkBySourceRef, [tenantId, link.sourceRef]);
  const { id } = found.rows[0] as InsertedLinkRow;
  return { linkId: id, created: false };
}

/**
 * The URL as it is asked for; what shows at once to be refused is refused here, what a name hides when it is
 * asked.
 * @throws DomainError `InvalidArgument` naming the field
 */
export function checkedUrl(
  url: string,
  { config }: Pick<SubmitLinkDeps, 'config'>,
  field: string = 'url',
): string {
  const checked = urlOrReason(url.trim(), config);
  if (checked instanceof URL) return checked.href;
  throw new DomainError(
    'InvalidArgument',
    `${field}: ${checked.message}`,
    { field, allowed: 'an http:// or https:// URL of at most 4096 characters, of a public address' },
    checked,
  );
}
