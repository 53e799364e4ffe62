import { buildSchema, validateSchema } from 'graphql';
import {
  closedWords,
  countNames,
  flagNames,
  globalIds,
  inputTypeNames,
  listItems,
  mutationResults,
  oneShape,
  timeNames,
} from '../lint/convention-rules.ts';
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

/**
 * With the names that graphql-eslint gives them, as far as it has them; the last ones are the conventions of
 * this API.
 */
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
  ['input-name', 'MUST', 'mutations take one input, called after them', inputName],
  ['global-ids', 'MUST', 'what is called an id is a global one', globalIds],
  ['time-names', 'MUST', 'times are named alike', timeNames],
  ['flag-names', 'MUST', 'flags are named alike', flagNames],
  ['count-names', 'MUST', 'counts are whole numbers', countNames],
  ['closed-words', 'MUST', 'closed sets of words are enums', closedWords],
  ['one-shape', 'MUST', 'a name is an object everywhere or nowhere', oneShape],
  ['list-items', 'MUST', 'items of lists are there', listItems],
  ['input-type-names', 'MUST', 'inputs are named as such', inputTypeNames],
  ['mutation-results', 'MUST', 'mutations answer a result of their own', mutationResults],
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
