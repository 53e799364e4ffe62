import { defaultFieldResolver, type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';
import type { GraphqlContext } from '../context.ts';
import { hiddenSelection } from './hidden-selection.ts';
import { isRowWithin } from './reach-rows.ts';
import { answerTypes, isNarrowed, isRootReached, outOfReach, refusalsOf } from './refusals.ts';

type Field = GraphQLField<unknown, GraphqlContext>;

/**
 * Asks for the scopes of a narrowed key and for what an access token reaches at each type, whatever way leads there: a root field knows
 * only its own. It costs no statement, and credentials that are not narrowed one comparison a field. A mutation whose answer would be
 * refused is refused before it is run.
 */
export function askAtTypes(schema: GraphQLSchema): GraphQLSchema {
  const answers = answerTypes(schema);
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const isRoot = roots.includes(type);
    for (const field of Object.values(type.getFields()))
      if (isRoot) askAtRoot(field, type.name, type === schema.getMutationType() ? answers : null);
      else askAtField(field, type.name, answers);
  }
  return schema;
}

function askAtField(field: Field, typeName: string, answers: ReadonlySet<string>): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (parent, args, context, info) => {
    const { actor } = context;
    if (isNarrowed(actor)) {
      const refusal = refusalsOf(actor, answers)(typeName, field.name);
      if (refusal !== null) throw refusal;
      if (actor.reach !== undefined && !isRowWithin(actor.reach, typeName, parent))
        throw outOfReach(actor.reach, `read this ${typeName}`);
    }
    return resolve(parent, args, context, info);
  };
}

/**
 * Asks when a root field is read, subscribed to and, of a stream, at each event.
 * @param answers of mutations, whose whole answer is looked at beforehand
 */
function askAtRoot(field: Field, typeName: string, answers: ReadonlySet<string> | null): void {
  const check = ({ actor }: GraphqlContext): void => {
    if (actor.reach !== undefined && !isRootReached(actor.reach, typeName, field.name))
      throw outOfReach(actor.reach, `use ${typeName}.${field.name}`);
  };
  const { resolve = defaultFieldResolver, subscribe } = field;
  field.resolve = (parent, args, context, info) => {
    check(context);
    const { actor } = context;
    const hidden =
      answers !== null && isNarrowed(actor) ? hiddenSelection(info, refusalsOf(actor, answers)) : null;
    if (hidden !== null) throw hidden;
    return resolve(parent, args, context, info);
  };
  if (subscribe === undefined) return;
  field.subscribe = (parent, args, context, info) => {
    check(context);
    return subscribe(parent, args, context, info);
  };
}
