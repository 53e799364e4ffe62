import { randomBytes } from 'node:crypto';
import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import type { VersionMatch } from '../../../core/version-match.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import type { ReadTransaction, WebhookSourceRow } from '../../../db/prisma.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { costOfPage, type ListedPage, type PageArgs, pageOf, windowOf } from '../../../jobs/page.ts';
import { checkNumber, refused } from '../../../operations/ranges.ts';
import { parseEmittedName } from '../../triggers/api.ts';
import { newWebhookSecret } from '../signature.ts';
import { type DeletedSourceRow, deleteWebhookSource } from '../sql/delete-webhook-source.ts';
import { type InsertedSourceRow, insertWebhookSource } from '../sql/insert-webhook-source.ts';
import { type ChangedSourceRow, updateWebhookSource } from '../sql/update-webhook-source.ts';
import { hashToken } from '../stored-secret.ts';
import {
  audit,
  checkLabel,
  keepSecret,
  MANAGE,
  MAX_WEBHOOKS,
  tooMany,
  type WebhookDeps,
  whyNotChanged,
} from './endpoints.ts';
import { checkTarget, requireNoWebhook, targetOf } from './source-target.ts';

/**
 * How a source proves that a message is its own: by the headers of Standard Webhooks, by GitHub's
 * `X-Hub-Signature-256`, or by a token in the path.
 */
export const VERIFICATIONS = ['standard', 'github', 'token'] as const;
export type Verification = (typeof VERIFICATIONS)[number];

const MIN_SECRET_LENGTH = 16;
const MAX_SECRET_LENGTH = 200;
const MAX_FIELD_LENGTH = 200;
const MAX_OVERLAP_SECONDS = 7 * 86_400;

export interface NewSource {
  readonly label: string;
  /** The name of the events that its messages become. Not with `triggerId`. */
  readonly eventName?: string | null | undefined;
  /** The one trigger that its events are for, by whose name they are called. */
  readonly triggerId?: string | null | undefined;
  readonly verification: Verification;
  /** One that the other side has chosen; made here by default. Not for `token`. */
  readonly secret?: string | null | undefined;
  /**
   * Makes a link of each record that a database webhook says was inserted: the field of it that holds the
   * URL.
   */
  readonly linkUrlField?: string | null | undefined;
}

/**
 * Makes a URL whose messages become events.
 * @returns its id, and its secret or token: nobody can read it again
 * @throws DomainError `Forbidden` `InvalidArgument` `QuotaExceeded`
 */
export const createWebhookSource = defineUseCase(
  { name: 'createWebhookSource', ...MANAGE },
  async (
    deps: WebhookDeps,
    actor: Caller,
    source: NewSource,
  ): Promise<{ readonly id: string; readonly secret: string }> => {
    const { label, verification } = source;
    checkLabel(label);
    const given = checkTarget(source);
    if (!VERIFICATIONS.includes(verification))
      throw refused('verification', String(verification), VERIFICATIONS.join(', '), VERIFICATIONS);
    const { linkUrlField = null } = source;
    if (linkUrlField === '') throw refused('linkUrlField', '""', `1 to ${MAX_FIELD_LENGTH} characters`);
    checkFilterText('linkUrlField', linkUrlField, MAX_FIELD_LENGTH);
    const secret = secretFor(verification, source.secret ?? null);
    const { tenantId, name } = actor;
    const id = await deps.db.transaction({ role: 'api', tenantId }, async (tx) => {
      const { eventName, triggerId } = await targetOf(tx, actor, given);
      if (triggerId !== null) await requireNoWebhook(tx, tenantId, triggerId);
      const values = [tenantId, label, eventName, verification, name, MAX_WEBHOOKS, linkUrlField, triggerId];
      const { rows } = await tx.query<InsertedSourceRow>(insertWebhookSource, values);
      const made = rows[0]?.id;
      if (made === undefined) throw tooMany('sources');
      await keepSecret(deps, tx, actor, made, storedSecret(verification, secret), 0);
      await audit(tx, actor, 'webhook.create', made, {
        label,
        eventName,
        verification,
        ...(linkUrlField !== null && { linkUrlField }),
        ...(triggerId !== null && { triggerId }),
      });
      await recordOutcome(tx, { id: made, secret });
      return made;
    });
    return { id, secret };
  },
);

/**
 * Changes a source; what is absent stays. @throws DomainError `Forbidden` `InvalidArgument` `NotFound`
 * `PreconditionFailed`
 */
export const changeWebhookSource = defineUseCase(
  { name: 'updateWebhookSource', ...MANAGE },
  async (
    { db }: WebhookDeps,
    actor: Caller,
    id: string,
    change: {
      readonly label?: string | null | undefined;
      readonly eventName?: string | null | undefined;
      readonly isEnabled?: boolean | null | undefined;
    },
    ifMatch: VersionMatch | null = null,
  ): Promise<void> => {
    const { label, isEnabled } = change;
    if (label != null) checkLabel(label);
    const eventName = change.eventName == null ? null : parseEmittedName(change.eventName, 'eventName');
    await db.transaction({ role: 'api', tenantId: actor.tenantId }, async (tx) => {
      const versions = ifMatch?.versions ?? null;
      const values = [actor.tenantId, id, label ?? null, eventName, isEnabled ?? null, versions];
      const { rows } = await tx.query<ChangedSourceRow>(updateWebhookSource, values);
      if (rows[0] === undefined) throw await whyNotChanged(tx, actor, 'source', id, ifMatch);
      if (eventName !== null && rows[0].trigger_id !== null)
        throw refused('eventName', 'given', 'none for a source of one trigger, whose name it takes');
      const changed = {
        ...(label != null && { label }),
        ...(eventName !== null && { eventName }),
        ...(isEnabled != null && { isEnabled }),
      };
      await audit(tx, actor, 'webhook.update', id, changed);
    });
  },
);

/** @throws DomainError `Forbidden` `NotFound` `PreconditionFailed` */
export const removeWebhookSource = defineUseCase(
  { name: 'deleteWebhookSource', ...MANAGE },
  async (
    { db }: Pick<WebhookDeps, 'db'>,
    actor: Caller,
    id: string,
    ifMatch: VersionMatch | null = null,
  ): Promise<void> => {
    await db.transaction({ role: 'api', tenantId: actor.tenantId }, async (tx) => {
      const { rows } = await tx.query<DeletedSourceRow>(deleteWebhookSource, [
        actor.tenantId,
        id,
        ifMatch?.versions ?? null,
      ]);
      if (rows[0] === undefined) throw await whyNotChanged(tx, actor, 'source', id, ifMatch);
      await audit(tx, actor, 'webhook.delete', id, { label: rows[0].label });
    });
  },
);

/**
 * Gives a source a new secret or token. The old one stays good for a while, a day by default.
 * @returns the new one: nobody can read it again
 * @throws DomainError `Forbidden` `InvalidArgument` `NotFound`
 */
export const rotateSourceSecret = defineUseCase(
  { name: 'rotateWebhookSourceSecret', ...MANAGE },
  async (deps: WebhookDeps, actor: Caller, id: string, overlapSeconds?: number | null): Promise<string> => {
    checkNumber('overlapSeconds', overlapSeconds, 0, MAX_OVERLAP_SECONDS);
    const overlap = overlapSeconds ?? 86_400;
    return deps.db.transaction({ role: 'api', tenantId: actor.tenantId }, async (tx) => {
      const { rows } = await tx.query<ChangedSourceRow>(updateWebhookSource, [
        actor.tenantId,
        id,
        null,
        null,
        null,
        null,
      ]);
      if (rows[0] === undefined) throw notFound('webhook source', id);
      const { verification } = rows[0];
      const secret = secretFor(verification, null);
      await keepSecret(deps, tx, actor, id, storedSecret(verification, secret), overlap);
      await audit(tx, actor, 'webhook.rotate_secret', id, { overlapSeconds: overlap });
      await recordOutcome(tx, secret);
      return secret;
    });
  },
);

/** A source of the tenant; null when it is not there. @throws DomainError `Forbidden` */
export const findWebhookSource = defineUseCase(
  { name: 'findWebhookSource', ...MANAGE, toDo: 'see webhooks' },
  async (reads: ReadTransaction, { tenantId }: Caller, id: string): Promise<WebhookSourceRow | null> =>
    (await reads.prisma()).webhookSource.findFirst({ where: { tenantId, id } }),
);

/** A page of the tenant's sources, newest first. @throws DomainError `Forbidden` `InvalidArgument` */
export const findWebhookSources = defineUseCase(
  { name: 'findWebhookSources', ...MANAGE, toDo: 'see webhooks', cost: costOfPage },
  async (
    reads: ReadTransaction,
    { tenantId }: Caller,
    page: PageArgs,
  ): Promise<ListedPage<WebhookSourceRow>> => {
    const window = windowOf('webhook-sources', page);
    const prisma = await reads.prisma();
    const fetched = await prisma.webhookSource.findMany({
      where: { tenantId, id: window.id },
      orderBy: { id: window.direction },
      take: window.take,
    });
    return pageOf(window, fetched);
  },
);

function secretFor(verification: Verification, given: string | null): string {
  if (given === null)
    return verification === 'standard' ? newWebhookSecret() : randomBytes(32).toString('base64url');
  if (verification === 'token')
    throw refused('secret', 'given', 'null for verification token, which makes one itself');
  if (given.length < MIN_SECRET_LENGTH || given.length > MAX_SECRET_LENGTH || !/^[\x21-\x7e]+$/.test(given))
    throw refused(
      'secret',
      `of ${given.length} characters`,
      `${MIN_SECRET_LENGTH} to ${MAX_SECRET_LENGTH} characters of ASCII without spaces`,
    );
  return given;
}

/** A token is only compared: its hash will do. */
function storedSecret(verification: Verification, secret: string): string {
  return verification === 'token' ? hashToken(secret) : secret;
}
