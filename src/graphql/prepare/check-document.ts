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
import { longNameErrors } from '../limits/long-names.ts';
import { sizeErrors } from '../limits/size-errors.ts';
import { steadyRootRule } from '../limits/steady-root-rule.ts';
import type { CheckedDocument } from './document-cache.ts';
import { withPlaces } from './value-errors.ts';

const RULES = [...specifiedRules, steadyRootRule];

/**
 * Parses a document, measures it and validates it, each only where the one before found nothing: what is too
 * large is refused before anything that is slow on large documents.
 * @param hideSuggestions no error guesses at what was meant: each guess names something of the schema
 */
export function checkDocument(
  schema: GraphQLSchema,
  text: string,
  limits: OperationLimits,
  hideSuggestions = false,
): CheckedDocument | readonly GraphQLError[] {
  const { maxDocumentCharacters } = limits;
  if (text.length > maxDocumentCharacters) return [documentTooLong(text.length, maxDocumentCharacters)];
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens: limits.maxTokens });
  } catch (error) {
    return [parseError(error, limits.maxTokens)];
  }
  const tooLarge = [...longNameErrors(document), ...sizeErrors(document, limits)];
  if (tooLarge.length > 0) return tooLarge;
  const mistakes = validate(schema, document, RULES, { maxErrors: MAX_MISTAKES, hideSuggestions });
  if (mistakes.length > 0)
    return withPlaces(schema, document, mistakes, hideSuggestions).map((mistake) =>
      coded(hideSuggestions ? withoutGuess(mistake) : mistake),
    );
  return { text, document, introspects: introspects(document) };
}

function documentTooLong(actual: number, limit: number): GraphQLError {
  const message = `The document has ${actual} characters; allowed: ${limit}. Send large values as variables.`;
  return limitError('DOCUMENT_TOO_LONG', message, { limit, actual });
}

function parseError(thrown: unknown, maxTokens: number): GraphQLError {
  // Nested past what the stack holds, within the limit of tokens or not: nobody's document.
  if (thrown instanceof RangeError)
    return new GraphQLError('The document is nested too deep to be read', {
      extensions: { code: 'GRAPHQL_PARSE_FAILED' },
    });
  const error = thrown as GraphQLError;
  if (!/^Syntax Error: Document contains more tha[nt] \d+ tokens/.test(error.message)) {
    error.extensions['code'] = 'GRAPHQL_PARSE_FAILED';
    return error;
  }
  return limitError('TOO_MANY_TOKENS', `The document has more than ${maxTokens} tokens`, {
    limit: maxTokens,
    actual: maxTokens + 1,
  });
}

const GUESS = ' Did you mean ';

/**
 * `hideSuggestions` leaves the one for a field without a selection. By its place and by no pattern: the
 * message has the client's text.
 */
function withoutGuess(error: GraphQLError): GraphQLError {
  const at = error.message.endsWith('?') ? error.message.lastIndexOf(GUESS) : -1;
  return at < 0
    ? error
    : new GraphQLError(error.message.slice(0, at), {
        nodes: error.nodes ?? null,
        extensions: error.extensions,
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
