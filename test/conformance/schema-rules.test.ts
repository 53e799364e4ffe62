import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../conformance/checks/schema.ts';
import { Report } from '../../conformance/report.ts';

const SDL = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

/** Ids of the rules that do not hold. */
async function findings(sdl: string): Promise<string[]> {
  const lines: string[] = [];
  await checkSchema(sdl, new Report((line) => void lines.push(line)));
  return lines.filter((line) => line.startsWith('FAIL')).map((line) => line.split(' ')[1] as string);
}

/** A small schema without a fault, to plant one in. */
const GOOD = `
"Root." type Query {
  "Things." things("Size." first: Int, "Place." after: String): ThingConnection!
}
"Page." type ThingConnection { "Edges." edges: [ThingEdge!]! "Page." pageInfo: PageInfo! }
"Edge." type ThingEdge { "Place." cursor: String! "Row." node: Thing! }
"Anything." interface Node { "Global id." id: ID! }
"Thing." type Thing implements Node { "Global id." id: ID! "Kind." kind: ThingKind! }
"Kind." enum ThingKind { "Small." SMALL_ONE "Large." LARGE_ONE }
"Where a page lies." type PageInfo {
  "Before." hasPreviousPage: Boolean! "After." hasNextPage: Boolean! "First." startCursor: String "Last." endCursor: String
}`;

const FAULTS: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['relay-connection-types', 'pageInfo: PageInfo!', 'pageInfo: PageInfo'],
  ['relay-connection-types', 'edges: [ThingEdge!]!', 'edges: ThingEdge!'],
  ['relay-edge-types', 'Thing implements Node', 'Thing'],
  ['relay-edge-types', 'cursor: String!', 'cursor: Int!'],
  ['relay-edge-types', 'node: Thing!', 'node: [Thing!]!'],
  ['relay-edge-types', 'ThingEdge', 'ThingRow'],
  ['relay-arguments', '"Size." first: Int, ', ''],
  ['relay-page-info', 'hasNextPage: Boolean!', 'hasNextPage: Boolean'],
  ['relay-page-info', '"First." startCursor: String', ''],
  ['naming-convention', 'SMALL_ONE', 'smallOne'],
  ['naming-convention', 'kind: ThingKind!', 'Kind: ThingKind!'],
  ['no-typename-prefix', 'kind: ThingKind!', 'thingKind: ThingKind!'],
  ['no-unreachable-types', '"Kind." enum', '"Lost." scalar Lost "Kind." enum'],
  ['no-hashtag-description', '"Kind." enum', '# Kind.\nenum'],
  ['require-deprecation-reason', 'kind: ThingKind!', 'kind: ThingKind! @deprecated'],
  ['require-description', '"Small." ', ''],
];

describe('the rules that a schema is held to', () => {
  it('all hold for the schema of the API', async () => {
    expect(await findings(SDL)).toEqual([]);
  });

  it('find nothing in a schema without a fault', async () => {
    expect(await findings(GOOD)).toEqual([]);
  });

  it.each(FAULTS)('%s: finds a planted fault (%s)', async (rule, from, to) => {
    expect(GOOD).toContain(from);
    expect(await findings(GOOD.replaceAll(from, to))).toContain(rule);
  });
});
