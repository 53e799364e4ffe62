import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { clientOperations } from '../../scripts/client/client-operations.ts';
import { clientDocuments } from '../../src/client/documents.ts';
import * as operations from '../../src/client/operations.gen.ts';
import { repository } from '../repository/planted.ts';
import { schema } from '../support/schema.ts';

describe('the documents of the client', () => {
  it('and their types are what the schema of the code makes of them; else run `npm run schema`', async () => {
    const text = await readFile(join(repository, 'src/client/operations.graphql'), 'utf8');
    const committed = await readFile(join(repository, 'src/client/operations.gen.ts'), 'utf8');
    expect(committed).toBe(clientOperations(schema, text));
  });

  it('are all named in what is offered for registration', () => {
    const all = Object.values(operations).map(({ name, text }) => [name, text]);
    expect(clientDocuments).toEqual(Object.fromEntries(all));
  });

  it.each(Object.entries(clientDocuments))(
    '%s is valid by itself, with just the fragments it needs',
    (_name, text) => {
      expect(validate(schema, parse(text))).toEqual([]);
    },
  );
});
