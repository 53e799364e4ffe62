import { type DocumentNode, type GraphQLError, Kind, type NameNode, visit } from 'graphql';
import { limitError } from './limit-error.ts';

/**
 * Characters of one name in a document. Our longest has 30; what looks for alike names takes time by their
 * length.
 */
export const MAX_NAME_LENGTH = 255;

/** The first name that is longer than that, as an error; none otherwise. */
export function longNameErrors(document: DocumentNode): readonly GraphQLError[] {
  const found: NameNode[] = [];
  visit(document, {
    [Kind.NAME]: (node) => {
      if (node.value.length > MAX_NAME_LENGTH) found.push(node);
    },
  });
  const [first] = found;
  if (first === undefined) return [];
  const { length } = first.value;
  const message = `The document has a name of ${length} characters; allowed: ${MAX_NAME_LENGTH}`;
  return [limitError('NAME_TOO_LONG', message, { limit: MAX_NAME_LENGTH, actual: length }, [first])];
}
