import { expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { done } from '../../src/core/outcome.ts';
import { createRegistry, register } from '../../workers/registry.ts';
import { brief, task } from './runtime/support/definitions.ts';

const handler = async () => done();
const load = async () => handler;

function problemsOf(build: () => unknown): string {
  try {
    build();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'RegistryInvalid') return error.message;
    throw error;
  }
  return 'none';
}

test('a registry pairs each definition with its handler and loads it on the first call only', async () => {
  let loads = 0;
  const registry = createRegistry(
    [task],
    [
      register(task, () => {
        loads++;
        return load();
      }),
    ],
  );
  expect(registry.definition('task')).toBe(task);
  expect(loads).toBe(0);
  expect(await registry.load('task')).toBe(handler);
  expect(await registry.load('task')).toBe(handler);
  expect(loads).toBe(1);
});

test('a loader may throw at once, or return the handler itself', async () => {
  const thrower = (() => {
    throw new Error('not here');
  }) as unknown as typeof load;
  const plain = (() => handler) as unknown as typeof load;
  const registry = createRegistry([task, brief], [register(task, thrower), register(brief, plain)]);
  for (const _ of [1, 2]) {
    await expect(registry.load('task')).rejects.toThrow('not here');
    expect(await registry.load('brief')).toBe(handler);
  }
  expect([registry.loaded('task'), registry.loaded('brief')]).toEqual([undefined, handler]);
});

test('a module that failed to load is loaded again for the next job', async () => {
  let loads = 0;
  const registry = createRegistry(
    [task],
    [
      register(task, async () => {
        if (loads++ === 0) throw new Error('out of file handles');
        return handler;
      }),
    ],
  );
  await expect(registry.load('task')).rejects.toThrow('out of file handles');
  expect(await registry.load('task')).toBe(handler);
});

test('a definition without a handler is refused, by name', () => {
  expect(problemsOf(() => createRegistry([task, brief], [register(task, load)]))).toMatch(
    /definition brief has no handler/,
  );
});

test('two handlers for one definition are refused, by name', () => {
  expect(problemsOf(() => createRegistry([task], [register(task, load), register(task, load)]))).toMatch(
    /two handlers for task/,
  );
});

test('a handler whose definition is not declared is refused, by name', () => {
  expect(problemsOf(() => createRegistry([], [register(task, load)]))).toMatch(
    /handler task has no definition/,
  );
});

test('two definitions with one key are refused, by name', () => {
  expect(problemsOf(() => createRegistry([task, { ...task }], [register(task, load)]))).toMatch(
    /two definitions have the key task/,
  );
});

test('a key that is not registered is answered with those that are', async () => {
  const registry = createRegistry([task], [register(task, load)]);
  await expect(registry.load('ocr')).rejects.toMatchObject({
    code: 'UnknownDefinition',
    details: { allowed: 'task' },
  });
});
