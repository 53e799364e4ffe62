import {
  type ASTVisitor,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';
import { MAX_ALIASES, MAX_DEPTH, MAX_FIELDS } from './limits.ts';

interface Size {
  readonly depth: number;
  readonly fields: number;
  readonly aliases: number;
}

const EMPTY: Size = { depth: 0, fields: 0, aliases: 0 };

/**
 * Validation rule: refuses operations that are too deep, too wide or too full of aliases, counted as executed. Each fragment
 * is measured once, so that fragments which double at each level cost nothing to refuse.
 */
export function sizeRule(context: ValidationContext): ASTVisitor {
  const measured = new Map<string, Size>();
  const open = new Set<string>();

  const ofFragment = (name: string): Size => {
    const known = measured.get(name);
    const fragment: FragmentDefinitionNode | null | undefined = context.getFragment(name);
    // Unknown and cyclic spreads are other rules' findings.
    if (known !== undefined || fragment == null || open.has(name)) return known ?? EMPTY;
    open.add(name);
    const size = ofSelections(fragment.selectionSet);
    open.delete(name);
    measured.set(name, size);
    return size;
  };

  const ofSelections = (set: SelectionSetNode): Size => {
    let [depth, fields, aliases] = [0, 0, 0];
    for (const selection of set.selections) {
      let size = EMPTY;
      if (selection.kind === Kind.FRAGMENT_SPREAD) size = ofFragment(selection.name.value);
      else if (selection.selectionSet !== undefined) size = ofSelections(selection.selectionSet);
      if (selection.kind === Kind.FIELD) {
        // Introspection nests deeper than data does; graphql-js has a rule of its own for it.
        const inner = selection.name.value.startsWith('__') ? 0 : size.depth;
        size = {
          depth: inner + 1,
          fields: size.fields + 1,
          aliases: size.aliases + (selection.alias === undefined ? 0 : 1),
        };
      }
      depth = Math.max(depth, size.depth);
      fields += size.fields;
      aliases += size.aliases;
    }
    return { depth, fields, aliases };
  };

  return {
    OperationDefinition: (operation) => {
      const size = ofSelections(operation.selectionSet);
      for (const [what, count, allowed] of [
        ['levels', size.depth, MAX_DEPTH],
        ['fields', size.fields, MAX_FIELDS],
        ['aliases', size.aliases, MAX_ALIASES],
      ] as const) {
        if (count <= allowed) continue;
        context.reportError(
          new GraphQLError(`The operation has ${count} ${what}; allowed: ${allowed}`, {
            nodes: operation,
            extensions: { code: 'OPERATION_TOO_LARGE' },
          }),
        );
      }
    },
  };
}
