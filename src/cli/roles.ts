import { parseArgs } from 'node:util';
import { loadConfig } from '../config/config.ts';
import { DomainError } from '../core/errors.ts';
import { administratorSql, roleNames } from '../db/roles.ts';

export const ROLES_USAGE = `millrace roles --sql [--login <role>]

Prints the SQL that makes the database roles and takes the right to temporary tables from everybody who was not given it by name, for
an administrator to run in Millrace's database where Millrace's login may not. It may be run any number of times. Other names:
MILLRACE_ROLE_PREFIX.

  --login   the login that Millrace connects as; the user that runs the SQL by default
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
  const names = roleNames(loadConfig().rolePrefix);
  process.stdout.write(administratorSql(names, values.login ?? null));
}
