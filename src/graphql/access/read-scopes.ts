import type { GraphQLSchema } from 'graphql';
import { outOfScope } from '../../access/require-role.ts';
import { type Actor, hasRole } from '../../core/actor.ts';
import { DomainError } from '../../core/errors.ts';
import { hasScope, type Scope } from '../../core/scopes.ts';
import type { GraphqlContext } from '../context.ts';
import type { ReadScope } from './access-types.ts';

/** The scope that a narrowed API key needs for what fields ask for. */
const SCOPE_OF: Readonly<Record<ReadScope, Scope>> = { member: 'jobs:read', videos: 'videos:read' };

/** True for members and above, and of API keys for those with the scope. */
export function mayRead(actor: Actor, what: ReadScope): boolean {
  return hasRole(actor.role, 'member') && hasScope(actor, SCOPE_OF[what]);
}

/** What somebody hears who may not. */
export function mayNotRead(actor: Actor, what: ReadScope): DomainError {
  if (hasRole(actor.role, 'member')) return outOfScope(actor, 'read this', SCOPE_OF[what]);
  return new DomainError('Forbidden', `Role ${actor.role} may not read this; it takes member.`, {
    allowed: 'member',
    enumWords: [actor.role, 'member'],
  });
}

/**
 * Asks at each event of a stream what its field asks for when it is subscribed to: a scope plugin that is set
 * to ask at the one does not ask at the other, and a subscriber whose role or scopes were lowered meanwhile
 * would go on to receive.
 */
export function checkEachEvent(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
    const options = field.extensions['pothosOptions'] as { authScopes?: Record<string, unknown> } | undefined;
    const asked = Object.keys(options?.authScopes ?? {}) as ReadScope[];
    const { resolve } = field;
    if (resolve === undefined || asked.length === 0)
      throw new Error(`Anybody could subscribe to ${field.name}`);
    field.resolve = (event, args, context: GraphqlContext, info) => {
      for (const what of asked) if (!mayRead(context.actor, what)) throw mayNotRead(context.actor, what);
      return resolve(event, args, context, info);
    };
  }
  return schema;
}
