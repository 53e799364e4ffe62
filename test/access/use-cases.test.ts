import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Admissions, callerOfOperation } from '../../src/access/admissions.ts';
import type { Caller } from '../../src/access/caller.ts';
import { Rates } from '../../src/access/rates.ts';
import { declaredUseCases, defineUseCase } from '../../src/access/use-case.ts';
import { loadConfig } from '../../src/config/config.ts';
import { type Actor, ROLES } from '../../src/core/actor.ts';
import { SCOPES, type Scope } from '../../src/core/scopes.ts';
import type { Identity } from '../../src/identity/identity.ts';

type AnyUseCase = (deps: unknown, caller: unknown, ...args: unknown[]) => Promise<unknown>;

const SOURCES = join(import.meta.dirname, '../../src');
const ROOMS = ['jobs', 'operations', 'domains', 'http'];
const TENANT = '018f0000-0000-7000-8000-000000000001';

/** Fails when anything of it is looked at: what stands before a use-case must have refused by then. */
const untouched: unknown = new Proxy(
  {},
  {
    get: (_target, key) => {
      throw new Error(`The use-case was run: it read ${String(key)}`);
    },
  },
);

const actor = (role: Actor['role'], scopes: readonly Scope[] | null = null): Actor => ({
  tenantId: TENANT,
  role,
  name: 'key:1',
  expiresAt: null,
  credentialId: '1',
  scopes,
});

const identityOf = (who: Actor, persistedOnly: boolean): Identity => ({
  actor: who,
  persistedOnly,
  key: 'k',
  credential: {
    tenantId: TENANT,
    role: who.role,
    subject: null,
    credentialId: '1',
    issuedAt: null,
    expiresAt: null,
    scopes: who.scopes,
    persistedOnly,
  },
});

/** Whom a use-case takes: no other role does what a worker does. */
const roleFor = ({ role }: { readonly role: Actor['role'] }): Actor['role'] =>
  role === 'worker' ? 'worker' : 'super_admin';

/** The weaker ones; of what workers do, all others. */
const rolesRefusedBy = ({ role }: { readonly role: Actor['role'] }): readonly Actor['role'][] =>
  role === 'worker' ? ROLES.filter((each) => each !== 'worker') : ROLES.slice(0, ROLES.indexOf(role));

/** What functions that compute a cost look at. */
const ARGUMENTS = [{}, {}, {}];

let useCases: readonly (readonly [string, AnyUseCase, ReturnType<typeof needOf>])[];
const needOf = (name: string) => {
  const found = declaredUseCases().get(name);
  if (found === undefined) throw new Error(`No use-case ${name}`);
  return found.need;
};

beforeAll(async () => {
  for (const room of ROOMS)
    for (const file of readdirSync(join(SOURCES, room), { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.ts') && readFileSync(join(SOURCES, room, file), 'utf8').includes('defineUseCase('))
        await import(join(SOURCES, room, file));
  useCases = [...declaredUseCases()].map(([name, useCase]) => [
    name,
    useCase as unknown as AnyUseCase,
    needOf(name),
  ]);
});

describe('every use-case', () => {
  test('is found by this test', () => {
    const names = useCases.map(([name]) => name);
    expect(names.length).toBeGreaterThan(40);
    expect(names).toEqual(expect.arrayContaining(['enqueueJob', 'findJobs', 'requestClip', 'readMetrics']));
  });

  test('refuses to run without a caller, or with an actor that nobody admitted', async () => {
    for (const [name, useCase] of useCases)
      for (const nobody of [undefined, null, {}, actor('super_admin')])
        await expect(useCase(untouched, nobody), name).rejects.toThrow(`Use-case ${name} was called without`);
  });

  test('refuses every role that does not suffice before anything of it is run', async () => {
    for (const [name, useCase, need] of useCases)
      for (const role of rolesRefusedBy(need))
        await expect(
          useCase(untouched, callerOfOperation(actor(role))),
          `${name} ${role}`,
        ).rejects.toMatchObject({ code: 'Forbidden', details: { allowed: need.role } });
  });

  test('refuses keys that are narrowed to other scopes, before anything of it is run', async () => {
    for (const [name, useCase, need] of useCases) {
      if (need.scope === 'any') continue;
      const others = SCOPES.filter((scope) => scope !== need.scope);
      const caller = callerOfOperation(actor(roleFor(need), others));
      await expect(useCase(untouched, caller), name).rejects.toMatchObject({
        code: 'Forbidden',
        details: { allowed: need.scope },
      });
    }
  });

  test('refuses a key that takes registered operations alone when a route calls it', async () => {
    const admissions = new Admissions(new Rates(loadConfig({})));
    for (const [name, useCase, need] of useCases) {
      const caller = admissions.callerOfRoute(identityOf(actor(roleFor(need)), true));
      await expect(useCase(untouched, caller, ...ARGUMENTS), name).rejects.toMatchObject({
        code: 'PersistedOnly',
      });
    }
  });

  test('takes from the rate of a route’s caller, and refuses once it is used up', async () => {
    for (const [name, useCase, need] of useCases) {
      const rates = new Rates(loadConfig({ MILLRACE_CALLER_COST_PER_SECOND: '1' }));
      const identity = identityOf(actor(roleFor(need)), false);
      const caller = new Admissions(rates).callerOfRoute(identity);
      rates.charge(identity, 'cost', 1_000_000);
      await expect(useCase(untouched, caller, ...ARGUMENTS), name).rejects.toMatchObject({
        code: 'RateLimited',
        details: { scope: 'caller', counted: 'cost' },
      });
    }
  });
});

test('a name is taken once', () => {
  const declaration = { name: 'onceOnly', role: 'member', scope: 'admin', toDo: 'do it' } as const;
  defineUseCase(declaration, async () => {});
  expect(() => defineUseCase(declaration, async () => {})).toThrow('There are two use-cases onceOnly');
});

test('a caller whose rate and scope suffice reaches the use-case with its arguments', async () => {
  const useCase = defineUseCase(
    {
      name: 'addUp',
      role: 'member',
      scope: 'jobs:read',
      toDo: 'add up',
      cost: (a: number, b: number) => a + b,
    },
    async (deps: { readonly base: number }, caller: Caller, a: number, b: number) => [
      caller.name,
      deps.base + a + b,
    ],
  );
  const rates = new Rates(
    loadConfig({ MILLRACE_CALLER_COST_PER_SECOND: '1', MILLRACE_RATE_BURST_SECONDS: '1000' }),
  );
  const identity = identityOf(actor('member', ['jobs:read']), false);
  const admissions = new Admissions(rates);
  const before = admissions.costLeft(identity).remaining ?? 0;
  await expect(useCase({ base: 1 }, admissions.callerOfRoute(identity), 200, 3)).resolves.toEqual([
    'key:1',
    204,
  ]);
  expect(before - (admissions.costLeft(identity).remaining ?? 0)).toBeGreaterThanOrEqual(150);
});
