import { defaultFieldResolver, type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import { outOfScope } from '../../jobs/require-role.ts';
import type { GraphqlContext } from '../context.ts';
import { hiddenSelection } from './hidden-selection.ts';
import { missingScope, TYPE_ACCESS } from './type-scopes.ts';

/**
 * Asks for the scopes of a narrowed key at each type that has some, whatever way leads there: a root field knows only its own. It
 * costs no statement, and credentials that are not narrowed one comparison a field. A mutation whose answer would be refused is
 * refused before it is run.
 */
export function askAtTypes(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type) && type.name in TYPE_ACCESS) askAtFields(type);
  const mutation = schema.getMutationType();
  if (mutation != null) askBefore(mutation);
  return schema;
}

function askAtFields(type: GraphQLObjectType): void {
  for (const field of Object.values(type.getFields())) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (parent, args, context: GraphqlContext, info) => {
      const { actor } = context;
      if (actor.scopes !== null) {
        const missing = missingScope(actor.scopes, type.name, field.name);
        if (missing !== null) throw outOfScope(actor, `read ${type.name}.${field.name}`, missing);
      }
      return resolve(parent, args, context, info);
    };
  }
}

function askBefore(mutation: GraphQLObjectType): void {
  for (const field of Object.values(mutation.getFields())) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (parent, args, context: GraphqlContext, info) => {
      const { actor } = context;
      const hidden = actor.scopes === null ? null : hiddenSelection(info, actor.scopes);
      if (hidden !== null) throw outOfScope(actor, `read ${hidden.field}`, hidden.scope);
      return resolve(parent, args, context, info);
    };
  }
}
