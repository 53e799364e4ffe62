import { administratorSql, roleNames } from '../../src/db/roles.ts';

/** The login that `deploy/postgres-init.sh` makes, for docker-compose.yml. */
const LOGIN = 'millrace_app';

/** `deploy/postgres-roles.sql`: what an administrator runs for the login of docker-compose.yml. */
export function composeRolesSql(): string {
  return `-- Made by \`npm run docs\`: what \`millrace roles --sql --login ${LOGIN}\` prints. deploy/postgres-init.sh runs it.\n${administratorSql(roleNames('millrace'), LOGIN)}`;
}
