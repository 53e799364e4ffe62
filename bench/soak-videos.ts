import { parseArgs } from 'node:util';
import { soakVideos } from './soak/videos.ts';

// `npm run soak:videos`: many videos at once; nothing may be stuck or doubled.

const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '20' },
    workers: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '20' },
  },
});

// So that what runs at the exit of a process runs: it stops Postgres and removes directories.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

const result = await soakVideos({
  videos: Number(values.videos),
  workers: Number(values.workers),
  secondsEach: Number(values.seconds),
  say: (line) => console.log(line),
});
console.log(result);
const isGood = result.problems.length === 0;
console.log(isGood ? 'nothing stuck, nothing doubled' : 'FAILED: see problems');
if (!isGood) process.exitCode = 1;
