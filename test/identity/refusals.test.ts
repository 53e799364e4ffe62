import { expect, it } from 'vitest';
import type { Actor } from '../../src/core/actor.ts';
import type { Reach } from '../../src/core/reach.ts';
import { answerTypes, isRootReached, refusalsOf } from '../../src/graphql/access/refusals.ts';
import { access, schema } from '../support/schema.ts';
import { rootFields } from '../support/selection.ts';

const ID = '01900000-0000-7000-8000-000000000001';
const REACHES: readonly Reach[] = [
  { kind: 'job', jobId: ID },
  { kind: 'video', videoId: ID },
  { kind: 'ownJobs', createdBy: 'token:1' },
  { kind: 'upload', createdBy: 'token:1' },
];

it.each(REACHES)('a type that is not listed is closed to an access token of kind $kind', (reach) => {
  const actor = { scopes: null, reach } as Actor;
  const refusal = refusalsOf(actor, answerTypes(schema), access);
  for (const typeName of ['AddedTomorrow', 'toString', '__proto__', 'AuditEntry'])
    expect(refusal(typeName, 'id')).toMatchObject({ code: 'Forbidden' });
  expect(refusal('PageInfo', 'endCursor')).toBeNull();
});

it.each(REACHES)('a root field that is not listed is closed to an access token of kind $kind', (reach) => {
  const reached = rootFields(schema)
    .map(([coordinate]) => coordinate)
    .filter((coordinate) => isRootReached(access, reach, ...(coordinate.split('.') as [string, string])));
  expect(reached.sort()).toEqual([...access.reach[reach.kind].roots].sort());
  expect(isRootReached(access, reach, 'Mutation', 'addedTomorrow')).toBe(false);
  // Those that were added last, which nobody has opened.
  for (const root of ['Mutation.replayJob', 'Mutation.deleteVideo', 'Subscription.videoChanges'])
    expect(reached).not.toContain(root);
});
