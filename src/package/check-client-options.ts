import { checkOptions, type OptionRule, textLike, trueOrFalse } from './check-options.ts';
import { CONNECTION_RULES } from './connection-rules.ts';
import type { ClientOptions } from './options.ts';

const RULES = {
  ...CONNECTION_RULES,
  tenant: textLike(/^[a-z0-9][a-z0-9-]{0,62}$/, 'the slug or id of a tenant: a–z, 0–9 and "-"'),
  createTenant: trueOrFalse,
  createdBy: textLike(/^[^\0]{1,255}$/, '1 to 255 characters'),
} as const satisfies Readonly<Record<keyof ClientOptions, OptionRule>>;

/** @throws DomainError `InvalidArgument` naming the option */
export function checkClientOptions(options: ClientOptions): void {
  checkOptions('createClient', options, RULES, ['databaseUrl', 'tenant']);
}
