import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** One check: a program that ends with 0 when all is well and says what is wrong otherwise. */
export interface Step {
  readonly name: string;
  /** Script and arguments, run by this Node. */
  readonly argv: readonly string[];
}

export interface StepResult {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** Both output streams in the order they were written. */
  readonly output: string;
}

/**
 * Path of the script behind a command that an installed package brings. Looked up on disk, since some
 * packages do not export their package.json.
 */
export function packageCommand(root: string, packageName: string, command: string): string {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin?: string | Record<string, string>;
  };
  const script = typeof bin === 'string' ? bin : bin?.[command];
  if (script === undefined) throw new Error(`${packageName} has no command ${command}`);
  return join(folder, script);
}

/**
 * Runs one step in the folder `cwd` and waits for its end; never throws, a program that cannot start has
 * failed.
 */
export function runStep(step: Step, cwd: string): Promise<StepResult> {
  const started = performance.now();
  const chunks: Buffer[] = [];
  const child = spawn(process.execPath, step.argv, {
    cwd: resolve(cwd),
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const seconds = () => (performance.now() - started) / 1000;
  return new Promise((resolveResult) => {
    child.on('error', (error) => {
      resolveResult({ name: step.name, passed: false, seconds: seconds(), output: error.message });
    });
    child.on('close', (code) => {
      const output = Buffer.concat(chunks).toString('utf8');
      resolveResult({ name: step.name, passed: code === 0, seconds: seconds(), output });
    });
  });
}

/** Runs all steps, at most `limit` at a time, and returns their results in the steps' order. */
export async function runSteps(steps: readonly Step[], cwd: string, limit: number): Promise<StepResult[]> {
  const results: StepResult[] = [];
  let next = 0;
  const runNext = async (): Promise<void> => {
    for (let index = next++; index < steps.length; index = next++) {
      const step = steps[index];
      if (step !== undefined) results[index] = await runStep(step, cwd);
    }
  };
  await Promise.all(Array.from({ length: limit }, runNext));
  return results;
}
