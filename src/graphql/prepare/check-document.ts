import {
  BREAK,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { limitError } from '../limits/limit-error.ts';
import { MAX_MISTAKES, type OperationLimits } from '../limits/limits.ts';
import { sizeErrors } from '../limits/size-errors.ts';
import { steadyRootRule } from '../limits/steady-root-rule.ts';
import type { CheckedDocument } from './document-cache.ts';

const RULES = [...specifiedRules, steadyRootRule];

/**
 * Parses a document, measures it and validates it, each only where the one before found nothing: what is too large is refused before
 * anything that is slow on large documents.
 */
export function checkDocument(
  schema: GraphQLSchema,
  text: string,
  limits: OperationLimits,
): CheckedDocument | readonly GraphQLError[] {
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens: limits.maxTokens });
  } catch (error) {
    return [parseError(error, limits.maxTokens)];
  }
  const tooLarge = sizeErrors(document, limits);
  if (tooLarge.length > 0) return tooLarge;
  const mistakes = validate(schema, document, RULES, { maxErrors: MAX_MISTAKES });
  if (mistakes.length > 0) return mistakes.map(coded);
  return { text, document, introspects: introspects(document) };
}

function parseError(thrown: unknown, maxTokens: number): GraphQLError {
  // Nested past what the stack holds, within the limit of tokens or not: nobody's document.
  if (thrown instanceof RangeError)
    return new GraphQLError('The document is nested too deep to be read', {
      extensions: { code: 'GRAPHQL_PARSE_FAILED' },
    });
  const error = thrown as GraphQLError;
  if (!/contains more that? \d+ tokens|contains more than \d+ tokens/.test(error.message)) {
    error.extensions['code'] = 'GRAPHQL_PARSE_FAILED';
    return error;
  }
  return limitError('TOO_MANY_TOKENS', `The document has more than ${maxTokens} tokens`, {
    limit: maxTokens,
    actual: maxTokens + 1,
  });
}

function coded(error: GraphQLError): GraphQLError {
  error.extensions['code'] ??= 'GRAPHQL_VALIDATION_FAILED';
  return error;
}

function introspects(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    enter: (node) => {
      found = node.kind === Kind.FIELD && /^__(schema|type)$/.test(node.name.value);
      return found ? BREAK : undefined;
    },
  });
  return found;
}
