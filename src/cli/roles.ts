import { parseArgs } from 'node:util';
import { loadConfig } from '../config/config.ts';
import { DomainError } from '../core/errors.ts';
import { roleNames, rolesSql } from '../db/roles.ts';

export const ROLES_USAGE = `millrace roles --sql [--login <role>]

Prints the SQL that makes the database roles, for an administrator to run where Millrace's login may not create them. It may be
run any number of times. Other names: MILLRACE_ROLE_PREFIX.

  --login   the login that Millrace connects as; whoever runs the SQL by default
`;

/** `millrace roles --sql`. @throws DomainError `InvalidArgument` */
export function printRoles(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: { sql: { type: 'boolean', default: false }, login: { type: 'string' } },
  });
  if (!values.sql) {
    throw new DomainError('InvalidArgument', '--sql is missing; --help says what there is.', {
      field: '--sql',
    });
  }
  process.stdout.write(`${rolesSql(roleNames(loadConfig().rolePrefix), values.login ?? null)}\n`);
}
