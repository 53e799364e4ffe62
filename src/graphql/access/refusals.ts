import { type GraphQLSchema, getNamedType, isCompositeType, isObjectType } from 'graphql';
import { outOfScope } from '../../access/require-role.ts';
import type { Actor } from '../../core/actor.ts';
import { DomainError } from '../../core/errors.ts';
import { type Reach, reachInWords } from '../../core/reach.ts';
import type { Access } from './access-types.ts';
import { missingScope } from './type-scopes.ts';

/** What a credential hears that may not see a field of a type, whatever value it is of; null when it may. */
export type Refusal = (typeName: string, fieldName: string) => DomainError | null;

/** Whether a credential may be refused fields at all. */
export function isNarrowed({ scopes, reach }: Actor): boolean {
  return scopes !== null || reach !== undefined;
}

/** What the actor may not see, by scopes and by reach. */
export function refusalsOf(actor: Actor, answers: ReadonlySet<string>, access: Access): Refusal {
  const { scopes, reach } = actor;
  return (typeName, fieldName) => {
    if (reach !== undefined && !isReached(access, reach, typeName, fieldName, answers))
      return outOfReach(reach, `read ${typeName}.${fieldName}`);
    const missing = missingScope(access.types, scopes, typeName, fieldName);
    return missing === null ? null : outOfScope(actor, `read ${typeName}.${fieldName}`, missing);
  };
}

/** Whether a kind of access token reaches a root field at all. */
export function isRootReached(access: Access, { kind }: Reach, typeName: string, fieldName: string): boolean {
  return access.reach[kind].roots.includes(`${typeName}.${fieldName}`);
}

/** What an access token hears. */
export function outOfReach(reach: Reach, toDo: string): DomainError {
  const words = reachInWords(reach);
  return new DomainError('Forbidden', `This access token may not ${toDo}: it reaches ${words}.`, {
    allowed: words,
  });
}

/**
 * The types that mutations answer with: they hold nothing themselves, and the mutations have been asked for.
 */
export function answerTypes(schema: GraphQLSchema): ReadonlySet<string> {
  const names = new Set<string>();
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const type = getNamedType(field.type);
    if (!isCompositeType(type)) continue;
    for (const { name } of isObjectType(type) ? [type] : schema.getPossibleTypes(type)) names.add(name);
  }
  return names;
}

function isReached(
  access: Access,
  { kind }: Reach,
  typeName: string,
  fieldName: string,
  answers: ReadonlySet<string>,
): boolean {
  const fields = Object.hasOwn(access.reach[kind].types, typeName)
    ? access.reach[kind].types[typeName]
    : undefined;
  if (fields === undefined) return answers.has(typeName);
  return fields === 'all' || fields.includes(fieldName);
}
