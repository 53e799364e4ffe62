import { expect, it } from 'vitest';
import { soakRealtime } from '../../bench/soak/realtime.ts';

it('no subscriber misses a change while sockets are cut, LISTEN is killed, and Postgres restarted and killed', async () => {
  const said: string[] = [];
  const result = await soakRealtime({
    clients: 200,
    seconds: 6,
    groups: 10,
    writePauseMs: 50,
    convergeMs: 200_000,
    say: (line) => said.push(line),
  });
  expect(result, said.join('\n')).toMatchObject({ staleCount: 0, wentBackCount: 0, errorCount: 0 });
  expect(result.reconnectCount).toBeGreaterThan(0);
  expect(result.commitCount).toBeGreaterThan(0);
});
