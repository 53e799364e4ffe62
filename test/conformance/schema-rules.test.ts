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
"Root." type Mutation { "Make one." makeThing("What." input: MakeThingInput!): MakeThingResult! }
"What." input MakeThingInput { "Of whom." ownerId: ID! }
"Result." union MakeThingResult = MakeThingPayload | TakenError
"Made." type MakeThingPayload { "It." thing: Thing! "Whether it is new." isNew: Boolean! }
"Failure." interface DomainFailure { "What." code: ThingKind! }
"Taken." type TakenError implements DomainFailure { "What." code: ThingKind! }
"Page." type ThingConnection { "Edges." edges: [ThingEdge!]! "Page." pageInfo: PageInfo! }
"Edge." type ThingEdge { "Place." cursor: String! "Row." node: Thing! }
"Anything." interface Node { "Global id." id: ID! }
"Thing." type Thing implements Node {
  "Global id." id: ID! "Kind." kind: ThingKind! "Owner." ownerId: ID! "When." createdAt: DateTime! "Sizes." sizes: [Int!]! "Uses." useCount: Int!
}
"A time." scalar DateTime
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
  ['input-name', 'input: MakeThingInput!', 'input: MakeThingInput!, "More." more: Int'],
  ['global-ids', '"Made." type MakeThingPayload {', '"Made." type MakeThingPayload { "Key." id: ID!'],
  ['global-ids', 'ownerId: ID! "When."', 'ownerId: String! "When."'],
  ['global-ids', 'ownerId: ID! "When."', 'owner: ID! "When."'],
  ['global-ids', 'MakeThingInput { "Of whom." ownerId: ID!', 'MakeThingInput { "Of whom." ownerId: String!'],
  ['time-names', 'createdAt: DateTime!', 'created: DateTime!'],
  ['time-names', 'createdAt: DateTime!', 'createdAt: String!'],
  ['flag-names', 'isNew: Boolean!', 'created: Boolean!'],
  ['count-names', 'useCount: Int!', 'useCount: Float!'],
  ['closed-words', 'code: ThingKind!', 'code: String!'],
  ['one-shape', '"It." thing: Thing!', '"It." thing: Thing! "Kind." kind: Thing!'],
  ['list-items', 'sizes: [Int!]!', 'sizes: [Int]!'],
  ['input-type-names', 'MakeThingInput', 'MakeThing'],
  ['mutation-results', 'MakeThingPayload', 'ThingPayload'],
  ['mutation-results', 'type TakenError implements DomainFailure', 'type TakenError'],
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
