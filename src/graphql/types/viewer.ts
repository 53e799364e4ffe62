import type { Actor } from '../../core/actor.ts';
import { builder } from '../builder.ts';
import { ApiKeyScopeEnum, RoleEnum } from './enums.ts';
import { actingTenant, TenantType } from './tenant.ts';

export const ViewerType = builder.objectRef<Actor>('Viewer').implement({
  description: 'The caller, as the token says and the tenant confirms.',
  fields: (t) => ({
    name: t.exposeString('name', { description: '`user:<sub>` or `key:<id>`; written beside what they do.' }),
    role: t.expose('role', { type: RoleEnum, description: 'What they may do.' }),
    tenant: t.field({
      type: TenantType,
      // A field of it that is refused and never null takes it along, and not the viewer.
      nullable: true,
      description: 'The tenant they act for.',
      resolve: (_actor, _args, context) => actingTenant(context),
    }),
    scopes: t.expose('scopes', {
      type: [ApiKeyScopeEnum],
      nullable: true,
      description: 'What an API key is narrowed to; null for all that the role may.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the token ends, and with it every stream; null when it does not.',
    }),
  }),
});
