import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { type Actor, ROLES, type Role } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import { type HeldMemberRow, holdMember } from '../db/sql/identity/hold-member.ts';
import { removeMember as removeRow } from '../db/sql/identity/remove-member.ts';
import { setMember as setRow } from '../db/sql/identity/set-member.ts';
import { type OperationDeps, operate, recordChange } from './operation.ts';
import { refused } from './ranges.ts';
import { checkTokenText } from './token-text.ts';

/** Roles that a person may have on a tenant's list. */
const MEMBER_ROLES: readonly Role[] = ['member', 'tenant_admin'];

const TO_DO = 'change who is a member';

/**
 * Puts a person on the list of the actor's tenant, or gives them another role there.
 * The first row makes the list decide over everybody, so an admin's first is their own: otherwise it would
 * shut them out.
 * @throws DomainError `Forbidden` `InvalidArgument` `Busy`
 */
export const setMember = defineUseCase(
  { name: 'setMember', role: 'tenant_admin', scope: 'admin', toDo: TO_DO },
  async ({ db }: Pick<OperationDeps, 'db'>, actor: Caller, subject: string, role: Role): Promise<void> => {
    checkTokenText('subject', subject);
    if (!MEMBER_ROLES.includes(role)) throw refused('role', role, MEMBER_ROLES.join(', '), ROLES);
    const { tenantId } = actor;
    await operate(
      db,
      `the members of tenant ${tenantId}`,
      async (tx) => {
        const { rows } = await tx.query<HeldMemberRow>(holdMember, [tenantId, subject]);
        const held = rows[0] as HeldMemberRow;
        if (held.role === role) return;
        if (!held.has_members) checkStaysIn(actor, subject, role);
        await tx.query(setRow, [tenantId, subject, role]);
        const target = { tenantId, type: 'member', id: subject } as const;
        await recordChange(tx, actor, 'member.set', target, { role, ...(held.role && { old: held.role }) });
      },
      { role: 'api', tenantId },
    );
  },
);

/**
 * Takes a person off the list of the actor's tenant: they are nobody there, unless they were the last on it.
 * @throws DomainError `Forbidden` `InvalidArgument` `NotFound` `Busy`
 */
export const removeMember = defineUseCase(
  { name: 'removeMember', role: 'tenant_admin', scope: 'admin', toDo: TO_DO },
  async ({ db }: Pick<OperationDeps, 'db'>, actor: Caller, subject: string): Promise<void> => {
    checkTokenText('subject', subject);
    const { tenantId } = actor;
    await operate(
      db,
      `the members of tenant ${tenantId}`,
      async (tx) => {
        const { rowCount } = await tx.query(removeRow, [tenantId, subject]);
        if (rowCount === 0)
          throw new DomainError('NotFound', `${JSON.stringify(subject)} is no member of the tenant.`, {
            field: 'subject',
          });
        await recordChange(tx, actor, 'member.remove', { tenantId, type: 'member', id: subject }, {});
      },
      { role: 'api', tenantId },
    );
  },
);

/** Super admins and API keys are not people of the tenant: no list shuts them out. */
function checkStaysIn(actor: Actor, subject: string, role: Role): void {
  if (actor.role === 'super_admin' || !actor.name.startsWith('user:')) return;
  const own = actor.name.slice('user:'.length);
  if (subject === own && role === 'tenant_admin') return;
  throw new DomainError(
    'InvalidArgument',
    'The tenant lists nobody yet, and the first on the list shuts out everyone who is not: begin with yourself as tenant_admin.',
    { field: 'subject', allowed: own, enumWords: ['tenant_admin'] },
  );
}
