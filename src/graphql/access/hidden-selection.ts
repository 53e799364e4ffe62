import {
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isCompositeType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { DomainError } from '../../core/errors.ts';
import type { Refusal } from './refusals.ts';

/**
 * Why the first field below the one being resolved that the caller may not see is refused. Asked before a
 * mutation is run, since one that is refused in its answer has been done by then.
 */
export function hiddenSelection(info: GraphQLResolveInfo, refusalOf: Refusal): DomainError | null {
  const seen = new Set<string>();

  const ofSet = (set: SelectionSetNode, typeNames: readonly string[]): DomainError | null => {
    for (const node of set.selections) {
      const found = isSkipped(node, info) ? null : ofNode(node, typeNames);
      if (found !== null) return found;
    }
    return null;
  };

  const ofNode = (node: SelectionNode, typeNames: readonly string[]): DomainError | null => {
    if (node.kind === Kind.INLINE_FRAGMENT)
      return ofSet(node.selectionSet, possible(info, node.typeCondition?.name.value, typeNames));
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = info.fragments[node.name.value];
      const key = `${node.name.value} ${typeNames.join()}`;
      if (fragment === undefined || seen.has(key)) return null;
      seen.add(key);
      return ofSet(fragment.selectionSet, possible(info, fragment.typeCondition.name.value, typeNames));
    }
    for (const typeName of typeNames) {
      const field = objectType(info, typeName)?.getFields()[node.name.value];
      if (field === undefined) continue;
      const refusal = refusalOf(typeName, field.name);
      if (refusal !== null) return refusal;
      const inner = getNamedType(field.type);
      if (node.selectionSet === undefined || !isCompositeType(inner)) continue;
      const found = ofSet(node.selectionSet, possible(info, inner.name, null));
      if (found !== null) return found;
    }
    return null;
  };

  const inner = possible(info, getNamedType(info.returnType).name, null);
  for (const { selectionSet } of info.fieldNodes) {
    const found = selectionSet === undefined ? null : ofSet(selectionSet, inner);
    if (found !== null) return found;
  }
  return null;
}

/** The object types that a condition leaves of those that a value may be of. */
function possible(
  { schema }: GraphQLResolveInfo,
  condition: string | undefined,
  among: readonly string[] | null,
): readonly string[] {
  if (condition === undefined) return among ?? [];
  const type = schema.getType(condition);
  const names = isObjectType(type)
    ? [type.name]
    : type !== undefined && isCompositeType(type)
      ? schema.getPossibleTypes(type as never).map(({ name }) => name)
      : [];
  return among === null ? names : names.filter((name) => among.includes(name));
}

function objectType({ schema }: GraphQLResolveInfo, name: string): GraphQLObjectType | undefined {
  const type = schema.getType(name);
  return isObjectType(type) ? type : undefined;
}

function isSkipped(node: SelectionNode, { variableValues }: GraphQLResolveInfo): boolean {
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.['if'] === true ||
    getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.['if'] === false
  );
}
