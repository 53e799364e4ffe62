import { expect, test } from 'vitest';
import { done } from '../../../../src/core/outcome.ts';
import type { ProgressUpdate } from '../../../../workers/handler.ts';
import { echo } from '../../../../workers/handlers/echo/echo.ts';
import { handlerContext } from '../../../support/handler-context.ts';

type Context = Parameters<typeof echo>[0];

function contextOf(payload: Context['payload'], more: Partial<Context> = {}) {
  const seen: ProgressUpdate[] = [];
  const context = handlerContext({ payload, progress: (update) => seen.push(update), ...more });
  return { context, seen };
}

test('echo says its message in steps and reports each', async () => {
  const { context, seen } = contextOf({ message: 'hello', steps: 4, durationMs: 8 });
  expect(await echo(context)).toEqual(done({ message: 'hello', steps: 4 }));
  expect(seen.map(({ percent }) => percent)).toEqual([25, 50, 75, 100]);
});

test('echo fails as often as it is asked to, and then succeeds', async () => {
  const payload = { message: 'hello', failTimes: 2 };
  await expect(echo(contextOf(payload, { attemptCount: 0 }).context)).rejects.toThrow(/run 1 of the 2/);
  await expect(echo(contextOf(payload, { attemptCount: 1 }).context)).rejects.toThrow(/run 2 of the 2/);
  expect(await echo(contextOf(payload, { attemptCount: 2 }).context)).toMatchObject({ kind: 'done' });
});

test('echo stops as soon as it is asked to', async () => {
  const stop = new AbortController();
  const running = echo(
    contextOf({ message: 'hello', steps: 2, durationMs: 60_000 }, { signal: stop.signal }).context,
  );
  stop.abort(new Error('not needed'));
  await expect(running).rejects.toThrow();
});
