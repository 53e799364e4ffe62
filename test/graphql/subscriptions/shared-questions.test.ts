import { randomUUID } from 'node:crypto';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import type { Actor } from '../../../src/core/actor.ts';
import type { FeedEvent } from '../../../src/events/change.ts';
import { groupKey, onlyDeclared } from '../../../src/graphql/live/group-key.ts';
import { presenter } from '../../../src/graphql/subscriptions/job-changed.ts';
import type { Identity } from '../../../src/identity/identity.ts';
import { schema } from '../../support/schema.ts';

const document = parse(
  'subscription A($s: [JobStatus!], $after: String) { jobChanges(filter: { statuses: $s }, after: $after) { __typename } }',
);
const actor: Actor = {
  tenantId: randomUUID(),
  role: 'member',
  name: 'user:alice',
  expiresAt: null,
  credentialId: null,
  scopes: null,
};

function keyOf(variableValues: Record<string, unknown>, who: Partial<Actor> = {}, topic = 'topic'): string {
  const identity = { actor: { ...actor, ...who } } as Identity;
  return groupKey({ schema, document, operationName: 'A', variableValues }, topic, identity);
}

test('two share a group whatever their names, cursors and superfluous variables are, and never across tenant, role, scopes, topic or variables', () => {
  const key = keyOf({ s: ['QUEUED'] });
  expect(keyOf({ s: ['QUEUED'], after: 'x' })).toBe(key);
  expect(keyOf({ s: ['QUEUED'], beside: 'y'.repeat(1_000) })).toBe(key);
  expect(keyOf({ s: ['QUEUED'] }, { name: 'user:bob', credentialId: 'other' })).toBe(key);
  const others = [
    keyOf({ s: ['RUNNING'] }),
    keyOf({}),
    keyOf({ s: ['QUEUED'] }, { tenantId: randomUUID() }),
    keyOf({ s: ['QUEUED'] }, { role: 'tenant_admin' }),
    keyOf({ s: ['QUEUED'] }, { scopes: ['jobs:read'] }),
    keyOf({ s: ['QUEUED'] }, { scopes: [] }),
    keyOf({ s: ['QUEUED'] }, {}, 'another topic'),
  ];
  expect(new Set([key, ...others]).size).toBe(others.length + 1);
});

test('a group keeps no variables but those that its operation declares', () => {
  const question = { schema, document, operationName: 'A', variableValues: { s: null, beside: 'y' } };
  expect(onlyDeclared(question).variableValues).toEqual({ s: null });
});

test('a watched job that was deleted before a resync is sent as null, and the stream ends', () => {
  const jobId = randomUUID();
  const present = presenter(jobId, false, true);
  const job = { kind: 'job', change: { jobId, status: 'queued' }, cursor: 'c' } as FeedEvent;
  const ready: FeedEvent = { kind: 'ready', complete: true, cursor: 'c' };
  const resync: FeedEvent = { kind: 'resync', reason: 'tooOld', cursor: null };
  expect([job, ready, resync, job, ready].map(present)).toEqual([
    expect.objectContaining({ value: { jobId } }),
    null,
    null,
    expect.objectContaining({ value: { jobId } }),
    null,
  ]);
  expect([resync, ready].map(present)).toEqual([null, { value: { jobId: null }, isLast: true }]);
});
