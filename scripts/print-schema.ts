/**
 * Writes the GraphQL schema, sorted, to schema.graphql; with `--check` compares instead and fails on any
 * difference, so that every change of the API is seen in a diff.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { graphqlPartsOf } from '../src/domains/domain.ts';
import { registeredDomains } from '../src/domains/registered.ts';
import { buildSchema } from '../src/graphql/schema.ts';
import { firstDifference } from './checks/first-difference.ts';

const { schema } = buildSchema(await graphqlPartsOf(registeredDomains({ echo: true })));
const file = new URL('../schema.graphql', import.meta.url);
const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  const difference = firstDifference(committed, printed);
  if (difference !== undefined) {
    console.error(
      `schema.graphql is not what the code says; run \`npm run schema\` and look at the diff.\n${difference}`,
    );
    process.exitCode = 1;
  }
} else {
  await writeFile(file, printed);
}
