import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { firstDifference } from '../../scripts/checks/first-difference.ts';
import { runSteps, type Step } from '../../scripts/checks/steps.ts';

const evaluate = (name: string, source: string): Step => ({ name, argv: ['--eval', source] });

describe('the check runner', () => {
  it('runs every step although one fails, and keeps the order and the output of each', async () => {
    const results = await runSteps(
      [
        evaluate('first', 'console.log("fine")'),
        evaluate('second', 'console.error("what is wrong"); process.exitCode = 3'),
        evaluate('third', 'console.log(process.cwd())'),
      ],
      tmpdir(),
      2,
    );
    expect(results.map(({ name, passed }) => [name, passed])).toEqual([
      ['first', true],
      ['second', false],
      ['third', true],
    ]);
    expect(results[1]?.output).toContain('what is wrong');
    expect(results[2]?.output.trim()).toBe(tmpdir());
  });

  it('counts a step that is killed or whose script is missing as failed', async () => {
    const results = await runSteps(
      [
        evaluate('killed', 'process.kill(process.pid, "SIGKILL")'),
        { name: 'missing', argv: ['no-such-script.ts'] },
      ],
      tmpdir(),
      2,
    );
    expect(results.map((result) => result.passed)).toEqual([false, false]);
  });
});

describe('the comparison of the committed GraphQL schema', () => {
  it('says nothing about equal texts and names the first line that differs', () => {
    expect(firstDifference('type A\ntype B\n', 'type A\ntype B\n')).toBeUndefined();
    expect(firstDifference('type A\ntype B\n', 'type A\ntype C\n')).toBe(
      'line 2\n  committed: type B\n  printed:   type C',
    );
    expect(firstDifference('type A\ntype B', 'type A')).toContain(
      'line 2\n  committed: type B\n  printed:   (ends)',
    );
    expect(firstDifference('', 'type A\n')).toContain('line 1');
  });
});
