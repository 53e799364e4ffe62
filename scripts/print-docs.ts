import { readFile, writeFile } from 'node:fs/promises';
import { COMMAND_FILE_SCHEMA } from '../src/domains/commands/command-file.ts';
import { composeRolesSql } from './docs/compose-roles.ts';
import { configurationPage } from './docs/configuration.ts';
import { statesPage } from './docs/states.ts';

// Pages and files that the code itself knows best. Writes them, or with --check says which are out of date.
const pages = [
  ['docs/configuration.md', configurationPage()],
  ['docs/states.md', statesPage()],
  ['commands.schema.json', `${JSON.stringify(COMMAND_FILE_SCHEMA, null, 2)}\n`],
  ['deploy/postgres-roles.sql', composeRolesSql()],
] as const;

const isCheck = process.argv.includes('--check');
for (const [path, content] of pages) {
  const url = new URL(`../${path}`, import.meta.url);
  if (!isCheck) await writeFile(url, content);
  else if ((await readFile(url, 'utf8').catch(() => '')) !== content) {
    process.stderr.write(`${path} is out of date: run \`npm run docs\`\n`);
    process.exitCode = 1;
  }
}
