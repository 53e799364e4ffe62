import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import { checkVersion, type VersionMatch } from '../../../core/version-match.ts';
import type { Transaction } from '../../../db/database.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import { recordAction } from '../../../db/record-action.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { type DeletedTriggerRow, deleteTriggerRow } from '../sql/delete-trigger-row.ts';
import { insertTrigger } from '../sql/insert-trigger.ts';
import { lockTrigger, type TriggerLockRow } from '../sql/lock-trigger.ts';
import { type NewTriggerFactsRow, newTriggerFacts } from '../sql/new-trigger-facts.ts';
import { replaceTrigger } from '../sql/replace-trigger.ts';
import { checkTrigger } from './check-trigger.ts';
import type { TriggerFields } from './trigger-fields.ts';
import { fieldsOf, rowOf } from './trigger-row.ts';

type Deps = Pick<JobsDeps, 'db' | 'payloads'>;

/** Triggers of one tenant: far more than anyone looks after, and few enough to list. */
const MAX_TRIGGERS = 10_000;

/**
 * Makes a trigger for the actor's tenant.
 * @returns its id
 * @throws DomainError `Forbidden` `UnknownDefinition` `InvalidArgument` `InvalidPayload`, for a template
 *   without placeholders that the definition's schema refuses
 */
export const createTrigger = defineUseCase(
  { name: 'createTrigger', role: 'tenant_admin', scope: 'admin', toDo: 'manage triggers' },
  async (deps: Deps, actor: Caller, fields: TriggerFields): Promise<string> => {
    const columns = checkTrigger(fields);
    return await deps.db.transaction({ role: 'api', tenantId: actor.tenantId }, async (tx) => {
      const { rows } = await tx.query<NewTriggerFactsRow>(newTriggerFacts, [actor.tenantId]);
      const { id, now, trigger_count: count } = rows[0] as NewTriggerFactsRow;
      if (count >= MAX_TRIGGERS)
        throw new DomainError(
          'QuotaExceeded',
          `This tenant has ${count} triggers; allowed: ${MAX_TRIGGERS}.`,
          {
            allowed: `at most ${MAX_TRIGGERS} triggers`,
          },
        );
      const row = await rowOf(deps, tx, actor, fields, columns, { id, now, previous: null });
      await tx.query(insertTrigger, [JSON.stringify({ ...row, created_by: actor.name })]);
      await audit(tx, actor, 'trigger.create', id, {
        label: columns.label,
        kind: columns.kind,
        definition: fields.definitionKey,
      });
      await recordOutcome(tx, id);
      return id;
    });
  },
);

/**
 * Changes a trigger; fields that are absent stay as they are, null gives a field its default. A schedule
 * whose times change, or that is enabled again, goes on from now: it does not make up for the time that it
 * was paused.
 * @throws DomainError `NotFound` `PreconditionFailed` and as `createTrigger`
 */
export const updateTrigger = defineUseCase(
  { name: 'updateTrigger', role: 'tenant_admin', scope: 'admin', toDo: 'manage triggers' },
  async (
    deps: Deps,
    actor: Caller,
    id: string,
    change: Partial<TriggerFields>,
    ifMatch: VersionMatch | null = null,
  ): Promise<void> => {
    await deps.db.transaction({ role: 'api', tenantId: actor.tenantId }, async (tx) => {
      const previous = (await tx.query<TriggerLockRow>(lockTrigger, [actor.tenantId, id])).rows[0];
      if (previous === undefined) throw notFound('trigger', id);
      checkVersion(ifMatch, previous.version);
      const fields = { ...fieldsOf(previous), ...change };
      const columns = checkTrigger(fields);
      const row = await rowOf(deps, tx, actor, fields, columns, { id, now: previous.now, previous });
      await tx.query(replaceTrigger, [JSON.stringify(row)]);
      await audit(tx, actor, 'trigger.update', id, {
        changed: Object.keys(change).sort(),
        label: columns.label,
      });
    });
  },
);

/** @throws DomainError `Forbidden` `NotFound` `PreconditionFailed` */
export const deleteTrigger = defineUseCase(
  { name: 'deleteTrigger', role: 'tenant_admin', scope: 'admin', toDo: 'manage triggers' },
  async (
    { db }: Pick<Deps, 'db'>,
    actor: Caller,
    id: string,
    ifMatch: VersionMatch | null = null,
  ): Promise<void> => {
    await db.transaction({ role: 'api', tenantId: actor.tenantId }, async (tx) => {
      if (ifMatch !== null) {
        const held = (await tx.query<TriggerLockRow>(lockTrigger, [actor.tenantId, id])).rows[0];
        if (held === undefined) throw notFound('trigger', id);
        checkVersion(ifMatch, held.version);
      }
      const deleted = (await tx.query<DeletedTriggerRow>(deleteTriggerRow, [actor.tenantId, id])).rows[0];
      if (deleted === undefined) throw notFound('trigger', id);
      await audit(tx, actor, 'trigger.delete', id, { ...deleted });
    });
  },
);

async function audit(
  tx: Transaction,
  { tenantId, name }: Caller,
  action: 'trigger.create' | 'trigger.update' | 'trigger.delete',
  triggerId: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordAction(tx, {
    tenantId,
    actor: name,
    action,
    targetType: 'trigger',
    targetId: triggerId,
    details,
  });
}
