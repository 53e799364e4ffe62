import {
  type ASTVisitor,
  GraphQLError,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

/**
 * Validation rule: a subscription's root field stands there whatever the variables say. With `@skip` or
 * `@include` nothing might be left to watch, for which graphql-js throws. The GraphQL specification has the
 * same rule since 2025.
 */
export function steadyRootRule(context: ValidationContext): ASTVisitor {
  const check = (set: SelectionSetNode, seen: Set<string>): void => {
    for (const selection of set.selections) {
      if (isConditional(selection)) {
        context.reportError(
          new GraphQLError(
            'The root field of a subscription takes no @skip and no @include; allowed: one field',
            {
              nodes: selection,
              extensions: { code: 'CONDITIONAL_SUBSCRIPTION' },
            },
          ),
        );
      } else if (selection.kind === Kind.INLINE_FRAGMENT) check(selection.selectionSet, seen);
      else if (selection.kind === Kind.FRAGMENT_SPREAD && !seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = context.getFragment(selection.name.value);
        if (fragment != null) check(fragment.selectionSet, seen);
      }
    }
  };
  return {
    OperationDefinition: ({ operation, selectionSet }) => {
      if (operation === 'subscription') check(selectionSet, new Set());
    },
  };
}

function isConditional({ directives = [] }: SelectionNode): boolean {
  return directives.some(({ name }) => name.value === 'skip' || name.value === 'include');
}
