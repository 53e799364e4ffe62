import { buildSchema, validateSchema } from 'graphql';
import {
  inputName,
  namingConvention,
  noHashtagDescription,
  noTypenamePrefix,
  noUnreachableTypes,
  requireDeprecationReason,
  requireDescription,
} from '../lint/naming-rules.ts';
import { relayArguments, relayConnectionTypes, relayEdgeTypes, relayPageInfo } from '../lint/relay-rules.ts';
import type { Rule } from '../lint/rule.ts';
import { fail, type Level, type Report } from '../report.ts';

const SHOWN = 4;

/** With the names that graphql-eslint gives them. */
const RULES: readonly (readonly [id: string, level: Level, what: string, rule: Rule])[] = [
  ['relay-connection-types', 'MUST', 'connections have edges and pageInfo', relayConnectionTypes],
  ['relay-edge-types', 'MUST', 'edges have a cursor and a node with a global id', relayEdgeTypes],
  ['relay-arguments', 'MUST', 'connections can be paged', relayArguments],
  ['relay-page-info', 'MUST', 'PageInfo has its four fields', relayPageInfo],
  ['naming-convention', 'MUST', 'names are in the case of their kind', namingConvention],
  ['no-typename-prefix', 'MUST', 'fields do not repeat the name of their type', noTypenamePrefix],
  ['no-unreachable-types', 'MUST', 'every type can be reached', noUnreachableTypes],
  ['no-hashtag-description', 'MUST', 'what is said is said in descriptions', noHashtagDescription],
  ['require-deprecation-reason', 'MUST', 'what is deprecated says why', requireDeprecationReason],
  ['require-description', 'MUST', 'everything is described', requireDescription],
  ['input-name', 'SHOULD', 'mutations take one input, called after them', inputName],
];

/** The rules of Relay's clients, and of names and descriptions, on a schema as it is printed. */
export async function checkSchema(sdl: string, report: Report): Promise<void> {
  const schema = buildSchema(sdl);
  await report.check('valid', 'MUST', 'the schema is valid', () => {
    const mistakes = validateSchema(schema);
    if (mistakes.length > 0) fail(mistakes.map(({ message }) => message).join(' | '));
  });
  for (const [id, level, what, rule] of RULES) {
    await report.check(id, level, what, () => {
      const found = rule(schema, sdl);
      if (found.length > 0) fail(`${found.length} findings: ${found.slice(0, SHOWN).join(' | ')}`);
    });
  }
}
