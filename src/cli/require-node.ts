import { checkNode } from './doctor/machine.ts';

// Imported before everything else, since what comes after it may need what an older Node lacks.
const { verdict, message, fix } = checkNode(process.version);
if (verdict === 'fail') {
  process.stderr.write(`Node ${message} (${process.execPath}). ${fix}\n`);
  process.exit(1);
}
