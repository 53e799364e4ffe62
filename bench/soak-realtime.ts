import { parseArgs } from 'node:util';
import { soakRealtime } from './soak/realtime.ts';

// `npm run soak:realtime`: nothing may be missed, whatever drops.

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '120' },
    groups: { type: 'string', default: '100' },
    'converge-seconds': { type: 'string', default: '300' },
  },
});

// So that what runs at the exit of a process runs: it stops Postgres and removes directories.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

const result = await soakRealtime({
  clients: Number(values.clients),
  seconds: Number(values.seconds),
  groups: Number(values.groups),
  writePauseMs: 100,
  convergeMs: Number(values['converge-seconds']) * 1000,
  say: (line) => console.log(line),
});
console.log(result);
const { staleCount, wentBackCount, errorCount } = result;
const isGood = staleCount === 0 && wentBackCount === 0 && errorCount === 0;
console.log(isGood ? '0 missed, 0 stale' : 'FAILED: a client missed something, went back, or met an error');
if (!isGood) process.exitCode = 1;
