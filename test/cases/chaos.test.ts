import { describe, expect, test } from 'vitest';
import { readOptions } from '../../chaos/options.ts';
import { hasFailed, reportLines } from '../../chaos/report.ts';
import { runChaos } from '../../chaos/run.ts';
import { startProgram } from '../support/program.ts';

describe('npm run chaos', () => {
  test('keeps every promise in its short form, with at least one fault of each kind', async () => {
    const program = startProgram('chaos/main.ts', ['--short']);
    try {
      const code = await program.ended();
      expect(`${program.stdout()}${program.stderr()}`).toContain('verdict: all promises kept');
      expect(code).toBe(0);
      const faults = /^faults: (.*)$/m.exec(program.stdout())?.[1] ?? '';
      expect(faults.split(', ')).toHaveLength(6);
      expect(faults).not.toMatch(/\b0 /);
    } finally {
      await program.kill();
    }
  });

  test('fails when a settled job is given its attempt back behind the queue', async () => {
    const options = readOptions([
      '--jobs=60',
      '--events=8',
      '--faults=0',
      '--fault-seconds=1',
      '--workers=1',
      '--short',
      '--seed=5',
    ]);
    if (options === 'help') throw new Error('no options');
    const result = await runChaos(options, {
      beforeJudging: async (client) => {
        await client.query(
          `update millrace.jobs set attempt_count = 0
           where id = (select id from millrace.jobs where status = 'failed' limit 1)`,
        );
      },
    });
    expect(hasFailed(result)).toBe(true);
    const said = reportLines(options, result).join('\n');
    expect(said).toMatch(/was changed 1 times after it had ended/);
    expect(said).toMatch(/has spent 0 attempts; its rows say \d/);
    expect(said).toContain('verdict: 2 violations (--seed 5)');
  });

  test('refuses options that are none and values that are no numbers', async () => {
    expect(() => readOptions(['--shorter'])).toThrow(/--shorter/);
    expect(() => readOptions(['--jobs=many'])).toThrow('--jobs is "many"; allowed: a whole number');
  });
});
