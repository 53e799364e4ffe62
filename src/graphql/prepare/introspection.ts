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
      return actor.reach === undefined && hasRole(actor.role, 'tenant_admin');
    case 'playground':
      return settings.playground;
  }
}

export function introspectionRefused(): GraphQLError {
  return new GraphQLError('The schema is not given out here; `schema.graphql` comes with every release', {
    extensions: { code: 'INTROSPECTION_REFUSED' },
  });
}
