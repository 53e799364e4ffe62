import { DomainError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import type { Transaction } from '../../../db/database.ts';
import { checkedUrl, type SubmitLinkDeps, writeLink } from '../../links/api.ts';
import type { WebhookSourceRow } from '../sql/find-webhook-source.ts';

/** The link that an inserted record is to become. */
export interface LinkOfRecord {
  readonly url: string;
  /**
   * `public.bookmarks:7`: the record's table and key, so that the same record is one link, however often its
   * message comes.
   */
  readonly sourceRef: string | null;
}

/**
 * What a message in the form of a database webhook (`{"type": "INSERT", "schema", "table", "record"}`) is to
 * make a link of.
 * @returns null for a source that makes no links, and for messages of updates and deletes
 * @throws DomainError `InvalidArgument` naming what the message lacks
 */
export function linkOf(
  deps: Pick<SubmitLinkDeps, 'config'>,
  { link_url_field: field }: Pick<WebhookSourceRow, 'link_url_field'>,
  message: Readonly<Record<string, unknown>>,
): LinkOfRecord | null {
  if (field === null) return null;
  const { type, schema, table, record } = message;
  if (type === 'UPDATE' || type === 'DELETE') return null;
  if (type !== 'INSERT') throw missing('type', 'INSERT, UPDATE or DELETE');
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    throw missing('record', 'an object: the inserted row');
  const given = (record as Record<string, unknown>)[field];
  if (typeof given !== 'string') throw missing(`record.${field}`, 'an http:// or https:// URL');
  const url = checkedUrl(given, deps, `record.${field}`);
  const { id } = record as { readonly id?: unknown };
  if (typeof id !== 'string' && typeof id !== 'number') return { url, sourceRef: null };
  const place = [schema, table].filter((part) => typeof part === 'string').join('.');
  const sourceRef = place === '' ? String(id) : `${place}:${id}`;
  checkFilterText('record.id', sourceRef, 1_024);
  return { url, sourceRef };
}

/** Writes it. @returns the id of a link that is new, else null @throws DomainError `DefinitionInactive` */
export async function makeLink(
  tx: Transaction,
  { id, tenant_id: tenantId }: Pick<WebhookSourceRow, 'id' | 'tenant_id'>,
  link: LinkOfRecord | null,
): Promise<string | null> {
  if (link === null) return null;
  const { linkId, created } = await writeLink(tx, tenantId, { ...link, createdBy: `webhook:${id}` });
  return created ? linkId : null;
}

function missing(field: string, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} is missing or of another kind; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}
