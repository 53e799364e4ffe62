import { GraphQLError } from 'graphql';
import type { Config } from '../../config/config.ts';
import { hasRole } from '../../core/actor.ts';
import type { Identity } from '../../identity/identity.ts';

export type IntrospectionSettings = Pick<Config, 'introspection' | 'playground'>;

/** Whether the caller may read the schema; who may not is given no names by way of suggestions either. */
export function mayIntrospect(settings: IntrospectionSettings, { actor }: Identity): boolean {
  switch (settings.introspection) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'admins':
      return hasRole(actor.role, 'tenant_admin');
    case 'playground':
      return settings.playground;
  }
}

export function introspectionRefused(): GraphQLError {
  return new GraphQLError('The schema is not given out here; `schema.graphql` comes with every release', {
    extensions: { code: 'INTROSPECTION_REFUSED' },
  });
}

/** The errors without "Did you mean": each guess names something of the schema. */
export function withoutSuggestions(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  return errors.map((error) => {
    const message = error.message.replace(/\s*Did you mean [\s\S]*\?$/, '');
    if (message === error.message) return error;
    const { nodes, source, positions, path, extensions } = error;
    return new GraphQLError(message, {
      nodes: nodes ?? null,
      source: source ?? null,
      positions: positions ?? null,
      path: path ?? null,
      extensions,
    });
  });
}
