import { defaultFieldResolver, type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';
import type { Actor } from '../../core/actor.ts';
import type { GraphqlContext } from '../context.ts';
import type { Access } from './access-types.ts';
import { hiddenSelection } from './hidden-selection.ts';
import { isRowWithin } from './reach-rows.ts';
import { answerTypes, isNarrowed, isRootReached, outOfReach, type Refusal, refusalsOf } from './refusals.ts';

/** What an actor may not see. */
type Refusals = (actor: Actor) => Refusal;
type Field = GraphQLField<unknown, GraphqlContext>;

/**
 * Asks for the scopes of a narrowed key and for what an access token reaches at each type, whatever way leads
 * there: a root field knows only its own. It costs no statement, and credentials that are not narrowed one
 * comparison a field. A mutation whose answer would be refused is refused before it is run.
 */
export function askAtTypes(schema: GraphQLSchema, access: Access): GraphQLSchema {
  const answers = answerTypes(schema);
  const refusals = (actor: Actor) => refusalsOf(actor, answers, access);
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const isRoot = roots.includes(type);
    for (const field of Object.values(type.getFields()))
      if (isRoot) askAtRoot(field, type.name, access, type === schema.getMutationType() ? refusals : null);
      else askAtField(field, type.name, access, refusals);
  }
  return schema;
}

function askAtField(field: Field, typeName: string, access: Access, refusals: Refusals): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (parent, args, context, info) => {
    const { actor } = context;
    if (isNarrowed(actor)) {
      const refusal = refusals(actor)(typeName, field.name);
      if (refusal !== null) throw refusal;
      if (actor.reach !== undefined && !isRowWithin(access, actor.reach, typeName, parent))
        throw outOfReach(actor.reach, `read this ${typeName}`);
    }
    return resolve(parent, args, context, info);
  };
}

/**
 * Asks when a root field is read, subscribed to and, of a stream, at each event.
 * @param refusals of mutations, whose whole answer is looked at beforehand
 */
function askAtRoot(field: Field, typeName: string, access: Access, refusals: Refusals | null): void {
  const check = ({ actor }: GraphqlContext): void => {
    if (actor.reach !== undefined && !isRootReached(access, actor.reach, typeName, field.name))
      throw outOfReach(actor.reach, `use ${typeName}.${field.name}`);
  };
  const { resolve = defaultFieldResolver, subscribe } = field;
  field.resolve = (parent, args, context, info) => {
    check(context);
    const { actor } = context;
    const hidden = refusals !== null && isNarrowed(actor) ? hiddenSelection(info, refusals(actor)) : null;
    if (hidden !== null) throw hidden;
    return resolve(parent, args, context, info);
  };
  if (subscribe === undefined) return;
  field.subscribe = (parent, args, context, info) => {
    check(context);
    return subscribe(parent, args, context, info);
  };
}
