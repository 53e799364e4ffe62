/**
 * Writes the operations.gen.ts of the client and of the console: the documents that they send, typed by
 * schema.graphql. Tests compare them, so a change of the API that one of them does not know fails there.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { buildSchema } from 'graphql';
import { clientOperations } from './client/client-operations.ts';

const read = (path: string): Promise<string> => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

const schema = buildSchema(await read('schema.graphql'));
for (const { folder, operationModule } of [
  { folder: 'src/client', operationModule: './operation.ts' },
  { folder: 'console/api', operationModule: '../../src/client/operation.ts' },
]) {
  const printed = clientOperations(schema, await read(`${folder}/operations.graphql`), operationModule);
  await writeFile(new URL(`../${folder}/operations.gen.ts`, import.meta.url), printed);
}
