#!/usr/bin/env node
import './cli/require-node.ts';
// As a whole: a named import that an older Node lacks would end the program before it can say which one it
// needs.
import nodeModule from 'node:module';
import { COMMANDS, overview } from './cli/commands.ts';
import { visible } from './cli/visible.ts';
import { loadConfig } from './config/config.ts';
import { printConfig } from './config/print-config.ts';
import { DomainError, toError } from './core/errors.ts';

// Compiling TypeScript and the larger packages is most of a start; the second one finds it done.
nodeModule.enableCompileCache();

/** Commands that are processes: for them `--check` is about the settings. */
const PROCESSES: readonly (string | undefined)[] = ['demo', 'start', 'server', 'worker'];

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === '--check' || (PROCESSES.includes(name) && args.includes('--check'))) {
    loadConfig();
    process.stdout.write(printConfig());
    return;
  }
  if (name === '--version') {
    process.stdout.write(`${(await (await import('./cli/manifest.ts')).readManifest()).version}\n`);
    return;
  }
  if (name === undefined || ['--help', '-h', 'help'].includes(name)) {
    process.stdout.write(overview());
    return;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    process.stderr.write(`There is no command ${JSON.stringify(name)}.\n\n${overview()}`);
    process.exitCode = 2;
    return;
  }
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(await command.usage());
    return;
  }
  await command.run(args);
}

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  const error = toError(thrown);
  // What was foreseen says what to do; only the rest needs its stack.
  const isForeseen = error instanceof DomainError || 'code' in error;
  process.stderr.write(`${visible(isForeseen ? error.message : (error.stack ?? error.message))}\n`);
  process.exitCode = 1;
}
// A handler that ignores its signal would keep the process; all that counts is written by now.
process.exit();
