import { post } from '../http.ts';
import { fail, type Report } from '../report.ts';
import type { Target } from '../target.ts';
import { type Asking, expectHarmless, expectRefused } from './asking.ts';
import { checkHostileBodies } from './hostile-bodies.ts';
import { checkHostileSocket } from './hostile-socket.ts';

const repeat = (count: number, part: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => part(n)).join(' ');

/** Requests of somebody who means harm: a server in production refuses them, cheaply. */
export async function checkHostile(target: Target, report: Report): Promise<void> {
  const { url, headers, safeField: field } = target;
  const asking: Asking = {
    ask: (body, extra = {}) => post(url, body, { ...headers, ...extra }),
    serves: async () => {
      const { status, json, text } = await asking.ask({ query: `{ ${field} }` });
      if (status !== 200 || json?.errors !== undefined) fail(`${status} ${text.slice(0, 150)}`);
    },
  };
  const refused = (id: string, what: string, query: string): Promise<void> =>
    report.check(id, 'MUST', what, async () => expectRefused(await asking.ask({ query })));
  const harmless = (id: string, what: string, query: string): Promise<void> =>
    report.check(id, 'MUST', what, async () => expectHarmless(await asking.ask({ query })));
  const aliases = (count: number): string => `{ ${repeat(count, (n) => `a${n}: ${field}`)} }`;

  await report.check('H01', 'MUST', 'a plain query is served', asking.serves);
  await refused('H10', `100 aliases of ${field} are refused`, aliases(100));
  await refused('H11', `5000 aliases of ${field} are refused`, aliases(5_000));
  await refused('H12', '5000 repeats of one field are refused', `{ ${repeat(5_000, () => field)} }`);
  await refused(
    'H13',
    '2000 directives on one field are refused',
    `{ ${field} ${repeat(2_000, () => '@include(if: true)')} }`,
  );
  await refused(
    'H14',
    '2000 unknown directives are refused fast',
    `{ ${field} ${repeat(2_000, () => '@aa')} }`,
  );
  await harmless(
    'H15',
    '200 nested inline fragments are refused or served fast',
    `{${'... on Query{'.repeat(200)}${field}${'}'.repeat(201)}`,
  );
  await harmless(
    'H16',
    'fragments that double at each level (2^20) are refused fast',
    `{ ...A0 } ${repeat(20, (n) => `fragment A${n} on Query { ...A${n + 1} ...A${n + 1} }`)} fragment A20 on Query { ${field} }`,
  );
  await refused(
    'H17',
    'a fragment cycle is refused',
    '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
  );
  await harmless(
    'H18',
    '3000 nested lists in a default do not overflow the stack',
    `query($x: [Int] = ${'['.repeat(3_000)}${']'.repeat(3_000)}) { ${field} }`,
  );
  await harmless(
    'H19',
    '1500 fields of one name with different arguments are compared fast',
    `{ ${repeat(1_500, (n) => `__type(name:"T${n}") { name }`)} }`,
  );
  await refused(
    'H20',
    'a fragment called __schema does not switch the limits off',
    `{ ...__schema } fragment __schema on Query ${aliases(200)}`,
  );
  await refused(
    'H21',
    'jobs of dependencies of jobs, 10 levels of lists deep, are refused',
    `{ jobs { nodes ${'{ dependsOn { job '.repeat(10)} { id } ${'} }'.repeat(10)} } }`,
  );
  await refused(
    'H22',
    'a circular introspection query is refused',
    `{ __schema { types ${'{ fields { type '.repeat(5)} { name } ${'} }'.repeat(5)} } }`,
  );
  await checkHostileBodies(target, report, asking);
  await checkDiscretion(report, asking, field);
  await checkHostileSocket(target, report, asking.serves);
}

/** What errors and the schema give away. */
async function checkDiscretion(report: Report, { ask }: Asking, field: string): Promise<void> {
  await report.check('H50', 'MUST', 'introspection is off', async () =>
    expectRefused(await ask({ query: '{ __schema { queryType { name } } }' })),
  );
  await report.check('H51', 'MUST', 'errors hold no suggestions of fields', async () => {
    const { text } = await ask({ query: '{ __typenam }' });
    if (text.includes('Did you mean')) fail(text.slice(0, 150));
  });
  await report.check('H52', 'MUST', 'errors hold no stack and no file', async () => {
    for (const query of ['{ __typenam }', '{', 'query($x: Int!) { __typename }']) {
      const { text } = await ask({ query });
      if (/node_modules|\.(ts|js):\d+|"stack(trace)?"/.test(text)) fail(text.slice(0, 200));
    }
  });
  await report.check('H53', 'MUST', 'an unknown persisted operation is refused', async () =>
    expectRefused(await ask({ extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } })),
  );
  await report.check('H54', 'MAY', 'a document that is not registered is refused', async () =>
    expectRefused(await ask({ query: `query Unregistered { ${field} }` })),
  );
}
