/**
 * Writes src/client/operations.gen.ts: the documents that the client sends, typed by schema.graphql. A test compares the
 * two, so a change of the API that the client does not know fails there.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { buildSchema } from 'graphql';
import { clientOperations } from './client/client-operations.ts';

const read = (path: string): Promise<string> => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

const schema = buildSchema(await read('schema.graphql'));
const printed = clientOperations(schema, await read('src/client/operations.graphql'));
await writeFile(new URL('../src/client/operations.gen.ts', import.meta.url), printed);
