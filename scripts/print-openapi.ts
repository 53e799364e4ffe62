/**
 * Writes the OpenAPI document of the REST API to openapi.json; with `--check` compares instead and fails on
 * any difference.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { restRoutesOf } from '../src/domains/domain.ts';
import { registeredDomains } from '../src/domains/registered.ts';
import { openApiDocument } from '../src/rest/document/document.ts';
import { ENGINE_ROUTES } from '../src/rest/routes/index.ts';
import { firstDifference } from './checks/first-difference.ts';

const routes = [...ENGINE_ROUTES, ...(await restRoutesOf(registeredDomains({ echo: true })))];
const file = new URL('../openapi.json', import.meta.url);
const printed = `${JSON.stringify(openApiDocument(routes), null, 2)}\n`;

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  const difference = firstDifference(committed, printed);
  if (difference !== undefined) {
    console.error(
      `openapi.json is not what the code says; run \`npm run schema\` and look at the diff.\n${difference}`,
    );
    process.exitCode = 1;
  }
} else {
  await writeFile(file, printed);
}
