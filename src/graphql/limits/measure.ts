import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** How large an operation is once its fragments are spread. */
export interface Size {
  readonly depth: number;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
  /**
   * How often the most frequent answer name stands in one selection: comparing those is what makes validation
   * slow.
   */
  readonly repeats: number;
}

interface Measured extends Size {
  /** Answer names of this level, each with how often it stands there. */
  readonly names: ReadonlyMap<string, number>;
}

const NOTHING: Measured = {
  depth: 0,
  fields: 0,
  aliases: 0,
  directives: 0,
  repeats: 0,
  names: new Map(),
};

/**
 * Measures the operations of a document. Each fragment is measured once, so that fragments which double at
 * each level cost nothing to refuse. Unknown and cyclic spreads count as nothing: they are validation's
 * findings.
 */
export function measureOperations(
  document: DocumentNode,
): readonly { readonly operation: OperationDefinitionNode; readonly size: Size }[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const measured = new Map<string, Measured>();
  const open = new Set<string>();

  const ofFragment = (name: string): Measured => {
    const known = measured.get(name);
    const fragment = fragments.get(name);
    if (known !== undefined || fragment === undefined || open.has(name)) return known ?? NOTHING;
    open.add(name);
    const inner = ofSelections(fragment.selectionSet);
    open.delete(name);
    const size = { ...inner, directives: inner.directives + (fragment.directives?.length ?? 0) };
    measured.set(name, size);
    return size;
  };

  const ofSelection = (selection: SelectionNode): Measured => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value);
    const inner = selection.selectionSet === undefined ? NOTHING : ofSelections(selection.selectionSet);
    if (selection.kind === Kind.INLINE_FRAGMENT) return inner;
    const { alias, name } = selection;
    return {
      // Introspection nests deeper than data does; graphql-js has a rule of its own for it.
      depth: (name.value.startsWith('__') ? 0 : inner.depth) + 1,
      fields: inner.fields + 1,
      aliases: inner.aliases + (alias === undefined ? 0 : 1),
      directives: inner.directives,
      repeats: inner.repeats,
      names: new Map([[(alias ?? name).value, 1]]),
    };
  };

  const ofSelections = (set: SelectionSetNode): Measured => {
    let [depth, fields, aliases, directives, repeats] = [0, 0, 0, 0, 0];
    const names = new Map<string, number>();
    for (const selection of set.selections) {
      const size = ofSelection(selection);
      depth = Math.max(depth, size.depth);
      fields += size.fields;
      aliases += size.aliases;
      directives += size.directives + (selection.directives?.length ?? 0);
      repeats = Math.max(repeats, size.repeats);
      for (const [name, count] of size.names) {
        const total = (names.get(name) ?? 0) + count;
        names.set(name, total);
        repeats = Math.max(repeats, total);
      }
    }
    return { depth, fields, aliases, directives, repeats, names };
  };

  return document.definitions
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .map((operation) => {
      const { names: _, ...size } = ofSelections(operation.selectionSet);
      const outer = [operation, ...(operation.variableDefinitions ?? [])];
      const own = outer.reduce((sum, { directives }) => sum + (directives?.length ?? 0), 0);
      return { operation, size: { ...size, directives: size.directives + own } };
    });
}
