import {
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { commentOf, namedTypeText } from './named-types.ts';

/** Prints what a selection gives, as a TypeScript type. Fragments become types of their own name. */
export class SelectionTypes {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Enums that were met. */
  readonly enums = new Set<string>();

  constructor(schema: GraphQLSchema, fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#schema = schema;
    this.#fragments = fragments;
  }

  /** The type of a selection on `parent`, which may be one of several object types. */
  textOf(set: SelectionSetNode, parent: GraphQLCompositeType): string {
    if (isObjectType(parent)) return this.#ofObject(set, parent, false);
    return this.#schema
      .getPossibleTypes(parent)
      .map((type) => this.#ofObject(set, type, true))
      .join(' | ');
  }

  #ofObject(set: SelectionSetNode, type: GraphQLObjectType, isOneOfSeveral: boolean): string {
    const spreads = new Set<string>();
    const fields = new Map<string, string>();
    this.#collect(set, type, isOneOfSeveral, fields, spreads);
    const own = fields.size === 0 ? [] : [`{\n${[...fields.values()].join('\n')}\n}`];
    return [...spreads, ...own].join(' & ');
  }

  #collect(
    set: SelectionSetNode,
    type: GraphQLObjectType,
    isOneOfSeveral: boolean,
    fields: Map<string, string>,
    spreads: Set<string>,
  ): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value;
        if (name === '__typename') {
          fields.set(name, `readonly __typename: ${isOneOfSeveral ? `'${type.name}'` : 'string'};`);
          continue;
        }
        const field = type.getFields()[name];
        if (field === undefined) throw new Error(`${type.name} has no field ${name}`);
        const alias = selection.alias?.value ?? name;
        fields.set(alias, this.#fieldText(alias, field, selection.selectionSet));
      } else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = this.#fragments.get(selection.name.value);
        const condition = fragment?.typeCondition.name.value;
        if (fragment === undefined || condition === undefined)
          throw new Error(`...${selection.name.value} on ${type.name}: there is no such fragment`);
        if (condition === type.name) spreads.add(selection.name.value);
        // Of an interface it has no type of its own: its fields are those of each type that has it.
        else if (this.#applies(condition, type))
          this.#collect(fragment.selectionSet, type, isOneOfSeveral, fields, spreads);
      } else if (this.#applies(selection.typeCondition?.name.value ?? type.name, type)) {
        this.#collect(selection.selectionSet, type, isOneOfSeveral, fields, spreads);
      }
    }
  }

  #applies(condition: string, type: GraphQLObjectType): boolean {
    const on = this.#schema.getType(condition);
    return on === type || (isAbstractType(on) && this.#schema.isSubType(on, type));
  }

  #fieldText(
    key: string,
    { type, description }: GraphQLField<unknown, unknown>,
    set: SelectionSetNode | undefined,
  ): string {
    return `${commentOf(description)}readonly ${key}: ${this.#output(type, set)};`;
  }

  #output(type: GraphQLOutputType, set: SelectionSetNode | undefined): string {
    if (isNonNullType(type)) return this.#nonNull(type.ofType as GraphQLOutputType, set);
    return `${this.#nonNull(type, set)} | null`;
  }

  #nonNull(type: GraphQLOutputType, set: SelectionSetNode | undefined): string {
    if (isListType(type)) return `readonly (${this.#output(type.ofType, set)})[]`;
    if (isCompositeType(type)) {
      if (set === undefined) throw new Error(`${type.name} needs a selection`);
      const text = this.textOf(set, type);
      return text.includes(' | ') || text.includes(' & ') ? `(${text})` : text;
    }
    return namedTypeText(type, this.enums);
  }
}
