import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { checkDocument } from '../../src/graphql/prepare/check-document.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { ask, TRANSPORTS } from '../support/ask.ts';
import { schema } from '../support/schema.ts';
import { comparableMs } from '../support/slowness.ts';
import { threadCpuMs } from '../support/thread-cpu.ts';

const repeat = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join(' ');

/**
 * The slowest documents that we could think of; some of them took seconds elsewhere [graphql-js#3955, #2185].
 */
const HOSTILE: readonly (readonly [string, string])[] = [
  ['repeats of one field', `{ ${repeat(990, () => '__typename')} }`],
  ['repeats below a page', `{ jobs { nodes { ${repeat(490, () => 'id')} } } }`],
  ['repeats with fields of their own', `{ ${repeat(240, () => 'viewer{name}')} }`],
  ['repeats two levels deep', `{ ${repeat(140, () => 'viewer{tenant{id}}')} }`],
  ['repeats within repeats', `{ ${repeat(16, () => `viewer{${repeat(30, () => 'name')}}`)} }`],
  ['one field with many arguments', `{ ${repeat(110, (i) => `job(id:"${i}"){id}`)} }`],
  ['one fragment many times', `{ viewer{ ${repeat(450, () => '...F')} } } fragment F on Viewer{name}`],
  [
    'many fragments in one place',
    `{ viewer{ ${repeat(60, (i) => `...F${i}`)} } } ${repeat(60, (i) => `fragment F${i} on Viewer { name role }`)}`,
  ],
  [
    'fragments that all spread each other',
    `{ viewer{ ${repeat(30, (i) => `...F${i}`)} } } ${repeat(30, (i) => `fragment F${i} on Viewer { ${repeat(10, (j) => `...F${(i + j + 1) % 30}`)} name }`)}`,
  ],
  [
    'fragments that double at each level',
    `{ ...A0 } ${repeat(80, (i) => `fragment A${i} on Query { ...A${i + 1} ...A${i + 1} }`)} fragment A80 on Query { __typename }`,
  ],
  ['unknown directives', `{ __typename ${repeat(490, (i) => `@a${i}`)} }`],
  ['unknown fields', `{ ${repeat(900, (i) => `jbo${i}`)} }`],
  ['unknown types of variables', `query (${repeat(190, (i) => `$a${i}:X${i}`)}) { __typename }`],
  [
    'unknown words of an enum',
    `{ jobs(filter:{statuses:[${repeat(900, (i) => `QUEUEE${i}`)}]}){nodes{id}} }`,
  ],
  ['unknown fields of an input', `{ jobs(filter:{${repeat(240, (i) => `idz${i}:1`)}}){nodes{id}} }`],
  ['lists nested in lists', `query ($x: [Int] = ${'['.repeat(990)}) { __typename }`],
  [
    'inline fragments nested in each other',
    `{ ${'... on Query { '.repeat(190)} __typename ${'} '.repeat(191)}`,
  ],
];

const MAX_MS = 200;
let api: TestApi;
let token: string;

beforeAll(async () => {
  api = await startTestApi();
  token = await api.token(await api.makeTenant(), 'member');
});
afterAll(() => api.close());

describe('a hostile document', () => {
  it.each(HOSTILE)(`with %s is read and checked within ${MAX_MS} ms`, (_what, text) => {
    const config = loadConfig({});
    // The best of a few, by the processor: what other programs of the machine take is not the document's.
    const bestMs = Math.min(
      ...Array.from({ length: 5 }, () => {
        const startedMs = threadCpuMs();
        checkDocument(schema, text, config);
        return threadCpuMs() - startedMs;
      }),
    );
    expect(comparableMs(bestMs, MAX_MS)).toBeLessThan(MAX_MS);
  });

  it.each(HOSTILE)('with %s is answered on every transport, with at most 21 errors', async (_what, query) => {
    for (const transport of TRANSPORTS) {
      const { errors, status } = await ask(api, token, transport, { query });
      expect(errors.length).toBeLessThanOrEqual(21);
      if (status !== null) expect(status).toBeLessThan(500);
    }
  });
});
