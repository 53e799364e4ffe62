import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import { checkVersion, type VersionMatch } from '../../../core/version-match.ts';
import type { Transaction } from '../../../db/database.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import { recordAction } from '../../../db/record-action.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { checkNumber, refused } from '../../../operations/ranges.ts';
import { urlOrReason } from '../../../outgoing/outgoing-policy.ts';
import { sealText } from '../../../payloads/sealed-text.ts';
import { newWebhookSecret } from '../signature.ts';
import { type DeletedEndpointRow, deleteWebhookEndpoint } from '../sql/delete-webhook-endpoint.ts';
import { findWebhookVersion } from '../sql/find-webhook-version.ts';
import { type InsertedEndpointRow, insertWebhookEndpoint } from '../sql/insert-webhook-endpoint.ts';
import { insertWebhookSecret } from '../sql/insert-webhook-secret.ts';
import { updateWebhookEndpoint } from '../sql/update-webhook-endpoint.ts';

export type WebhookDeps = Pick<JobsDeps, 'db' | 'secrets' | 'config' | 'queue'>;

/** Endpoints, and sources, of one tenant. */
export const MAX_WEBHOOKS = 200;
const MAX_LABEL_LENGTH = 200;
const MIN_PAUSE_SECONDS = 60;
const MAX_PAUSE_SECONDS = 30 * 86_400;
/** How long the old secret stays good beside the new one. */
const DEFAULT_OVERLAP_SECONDS = 86_400;
const MAX_OVERLAP_SECONDS = 7 * 86_400;

export const MANAGE = { role: 'tenant_admin', scope: 'admin', toDo: 'manage webhooks' } as const;

export interface EndpointFields {
  readonly label?: string | null | undefined;
  readonly url?: string | null | undefined;
  /**
   * Failing for this long, with at least 20 failures in a row, pauses it: 60 to 2,592,000; a day by default.
   */
  readonly pauseAfterSeconds?: number | null | undefined;
  readonly isPaused?: boolean | null | undefined;
}

/**
 * Makes an endpoint that triggers may deliver to.
 * @returns its id, and its secret: nobody can read it again
 * @throws DomainError `Forbidden` `InvalidArgument`, for an address that is not public too, `QuotaExceeded`
 */
export const createWebhookEndpoint = defineUseCase(
  { name: 'createWebhookEndpoint', ...MANAGE },
  async (
    deps: WebhookDeps,
    actor: Caller,
    { label, url, pauseAfterSeconds }: EndpointFields,
  ): Promise<{ readonly id: string; readonly secret: string }> => {
    checkLabel(label ?? '');
    checkAddress(deps, url ?? '');
    checkNumber('pauseAfterSeconds', pauseAfterSeconds, MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS);
    const { tenantId, name } = actor;
    const secret = newWebhookSecret();
    const id = await deps.db.transaction({ role: 'api', tenantId }, async (tx) => {
      const values = [tenantId, label, url, pauseAfterSeconds ?? 86_400, name, MAX_WEBHOOKS];
      const { rows } = await tx.query<InsertedEndpointRow>(insertWebhookEndpoint, values);
      const made = rows[0]?.id;
      if (made === undefined) throw tooMany('endpoints');
      await keepSecret(deps, tx, actor, made, secret, 0);
      await audit(tx, actor, 'webhook.create', made, { label, url: shownUrl(url ?? '') });
      await recordOutcome(tx, { id: made, secret });
      return made;
    });
    return { id, secret };
  },
);

/**
 * Changes an endpoint; what is absent stays. `isPaused: false` lets one deliver again that was paused by its
 * failures.
 * @throws DomainError `Forbidden` `InvalidArgument` `NotFound` `PreconditionFailed`
 */
export const changeWebhookEndpoint = defineUseCase(
  { name: 'updateWebhookEndpoint', ...MANAGE },
  async (
    deps: WebhookDeps,
    actor: Caller,
    id: string,
    fields: EndpointFields,
    ifMatch: VersionMatch | null = null,
  ): Promise<void> => {
    const { label, url, pauseAfterSeconds, isPaused } = fields;
    if (label != null) checkLabel(label);
    if (url != null) checkAddress(deps, url);
    checkNumber('pauseAfterSeconds', pauseAfterSeconds, MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS);
    await deps.db.transaction({ role: 'api', tenantId: actor.tenantId }, async (tx) => {
      const reason = isPaused === true ? `Paused by ${actor.name}.` : null;
      const values = [
        actor.tenantId,
        id,
        label ?? null,
        url ?? null,
        pauseAfterSeconds ?? null,
        isPaused ?? null,
        reason,
        ifMatch?.versions ?? null,
      ];
      const { rowCount } = await tx.query(updateWebhookEndpoint, values);
      if (rowCount !== 1) throw await whyNotChanged(tx, actor, 'endpoint', id, ifMatch);
      await audit(tx, actor, 'webhook.update', id, {
        ...(label != null && { label }),
        ...(url != null && { url: shownUrl(url) }),
        ...(pauseAfterSeconds != null && { pauseAfterSeconds }),
        ...(isPaused != null && { isPaused }),
      });
    });
  },
);

/** @throws DomainError `Forbidden` `NotFound` `PreconditionFailed` */
export const removeWebhookEndpoint = defineUseCase(
  { name: 'deleteWebhookEndpoint', ...MANAGE },
  async (
    { db }: Pick<WebhookDeps, 'db'>,
    actor: Caller,
    id: string,
    ifMatch: VersionMatch | null = null,
  ): Promise<void> => {
    await db.transaction({ role: 'api', tenantId: actor.tenantId }, async (tx) => {
      const { rows } = await tx.query<DeletedEndpointRow>(deleteWebhookEndpoint, [
        actor.tenantId,
        id,
        ifMatch?.versions ?? null,
      ]);
      if (rows[0] === undefined) throw await whyNotChanged(tx, actor, 'endpoint', id, ifMatch);
      await audit(tx, actor, 'webhook.delete', id, { label: rows[0].label });
    });
  },
);

/**
 * Gives an endpoint a new secret. The old one stays good for a while, a day by default: deliveries carry a
 * signature of each.
 * @param overlapSeconds 0 to 604,800; 0 ends the old one at once
 * @returns the new secret: nobody can read it again
 * @throws DomainError `Forbidden` `InvalidArgument` `NotFound`
 */
export const rotateEndpointSecret = defineUseCase(
  { name: 'rotateWebhookEndpointSecret', ...MANAGE },
  async (deps: WebhookDeps, actor: Caller, id: string, overlapSeconds?: number | null): Promise<string> => {
    checkNumber('overlapSeconds', overlapSeconds, 0, MAX_OVERLAP_SECONDS);
    const overlap = overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
    const secret = newWebhookSecret();
    await deps.db.transaction({ role: 'api', tenantId: actor.tenantId }, async (tx) => {
      const { rowCount } = await tx.query(updateWebhookEndpoint, [
        actor.tenantId,
        id,
        null,
        null,
        null,
        null,
        null,
        null,
      ]);
      if (rowCount !== 1) throw notFound('webhook endpoint', id);
      await keepSecret(deps, tx, actor, id, secret, overlap);
      await audit(tx, actor, 'webhook.rotate_secret', id, { overlapSeconds: overlap });
      await recordOutcome(tx, secret);
    });
    return secret;
  },
);

/** Why an endpoint or a source was not changed: it is not there, or has another version. */
export async function whyNotChanged(
  tx: Transaction,
  { tenantId }: Caller,
  what: 'endpoint' | 'source',
  id: string,
  ifMatch: VersionMatch | null,
): Promise<DomainError> {
  const { rows } = await tx.query<{ version: string }>(findWebhookVersion, [tenantId, id]);
  if (rows[0] !== undefined) checkVersion(ifMatch, rows[0].version);
  return notFound(`webhook ${what}`, id);
}

export async function keepSecret(
  { secrets }: Pick<WebhookDeps, 'secrets'>,
  tx: Transaction,
  { tenantId }: Caller,
  ownerId: string,
  secret: string,
  overlapSeconds: number,
): Promise<void> {
  const stored = JSON.stringify(sealText(secrets, tenantId, secret));
  await tx.query(insertWebhookSecret, [tenantId, ownerId, stored, overlapSeconds]);
}

export async function audit(
  tx: Transaction,
  { tenantId, name }: Caller,
  action:
    | 'webhook.create'
    | 'webhook.update'
    | 'webhook.delete'
    | 'webhook.rotate_secret'
    | 'webhook.redeliver',
  targetId: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordAction(tx, { tenantId, actor: name, action, targetType: 'webhook', targetId, details });
}

export function checkLabel(label: string): void {
  if (label.trim() === '') throw refused('label', 'empty', `1 to ${MAX_LABEL_LENGTH} characters`);
  checkFilterText('label', label, MAX_LABEL_LENGTH);
}

export function tooMany(what: string): DomainError {
  return new DomainError('QuotaExceeded', `This tenant has ${MAX_WEBHOOKS} webhook ${what} already.`, {
    allowed: `at most ${MAX_WEBHOOKS} webhook ${what}`,
  });
}

/**
 * What can be seen of an address by itself; where it leads to is looked at when it is called. @throws
 * DomainError `InvalidArgument`
 */
function checkAddress({ config }: Pick<WebhookDeps, 'config'>, url: string): void {
  const checked = urlOrReason(url, config);
  if (checked instanceof URL) return;
  throw new DomainError(
    'InvalidArgument',
    `url: ${checked.message}`,
    { field: 'url', allowed: 'a public http or https URL' },
    checked,
  );
}

/** Without the query string, which may hold a token. */
function shownUrl(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}
