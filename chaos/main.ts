import { toError } from '../src/core/errors.ts';
import { readOptions, USAGE } from './options.ts';
import { hasFailed, reportLines } from './report.ts';
import { runChaos } from './run.ts';

// `npm run chaos`: see USAGE and docs/proofs.md.

// So that what runs at the exit of a process runs: it stops Postgres and removes directories.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

const options = read();
if (options === 'help') console.log(USAGE);
else {
  const result = await runChaos(options, { say: (line) => console.log(line) });
  console.log(reportLines(options, result).join('\n'));
  if (hasFailed(result)) process.exitCode = 1;
}

function read(): ReturnType<typeof readOptions> {
  try {
    return readOptions(process.argv.slice(2));
  } catch (thrown) {
    console.error(`${toError(thrown).message}\n\n${USAGE}`);
    process.exit(2);
  }
}
