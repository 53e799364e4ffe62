import { DomainError } from '../core/errors.ts';

/**
 * The three roles that every transaction works as one of; see prisma/routines/access for what each may do.
 */
export interface RoleNames {
  readonly api: string;
  readonly worker: string;
  readonly admin: string;
}

export type RoleKind = keyof RoleNames;

/**
 * Role names under a prefix; several installations on one cluster use different ones.
 * @throws DomainError `InvalidArgument` for anything but a lower-case identifier of at most 40 characters
 */
export function roleNames(prefix: string): RoleNames {
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(prefix)) {
    throw new DomainError(
      'InvalidArgument',
      `Role prefix ${JSON.stringify(prefix)} is not a lower-case identifier of at most 40 characters`,
      {
        field: 'rolePrefix',
        allowed: '^[a-z_][a-z0-9_]{0,39}$',
      },
    );
  }
  return { api: `${prefix}_api`, worker: `${prefix}_worker`, admin: `${prefix}_admin` };
}

/**
 * SQL that makes the roles and lets `login` become them; it may be run any number of times. Roles belong to
 * the whole cluster, where two databases may be set up at the same moment: the losing side's duplicate is no
 * error.
 * INHERIT false: the login sees nothing of its own accord, only after SET ROLE.
 * @param login the role that Millrace connects as; null for the user that runs the SQL
 */
export function rolesSql(names: RoleNames, login: string | null = null): string {
  const member = login === null ? 'current_user' : quoteIdentifier(login);
  return Object.values(names)
    .map(
      (name) => `do $$ begin
  if not exists (select from pg_roles where rolname = '${name}') then
    create role ${name} nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  if not exists (select from pg_auth_members m join pg_roles g on g.oid = m.roleid join pg_roles u on u.oid = m.member
                 where g.rolname = '${name}' and u.rolname = ${login === null ? 'current_user' : quoteLiteral(login)} and m.set_option) then
    grant ${name} to ${member} with inherit false, set true;
  end if;
end $$;`,
    )
    .join('\n');
}

/**
 * SQL that takes the right to temporary tables and types in this database from everybody who was not given it
 * by name, our roles among them; it may be run any number of times. A role that may make temporary objects
 * can try to put them in the way of routines that run as another role. A login that does not own the database
 * changes nothing; `millrace doctor` reports it.
 */
export function temporaryRightsSql(names: RoleNames): string {
  const roles = ['public', ...Object.values(names)];
  return `do $$
declare v_role text;
begin
  foreach v_role in array array[${roles.map(quoteLiteral).join(', ')}] loop
    if has_database_privilege(v_role, current_database(), 'TEMPORARY') then
      execute format('revoke temporary on database %I from %s', current_database(), v_role);
    end if;
  end loop;
exception when insufficient_privilege then null;
end $$;`;
}

/**
 * All that an administrator runs once in Millrace's database, for a login that may not do it itself: what
 * `millrace roles --sql` prints.
 */
export function administratorSql(names: RoleNames, login: string | null = null): string {
  return `${rolesSql(names, login)}\n${temporaryRightsSql(names)}\n`;
}

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
