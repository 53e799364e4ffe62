import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileArgv } from '../../../src/domains/commands/argv-template.ts';
import type { ArgvItem } from '../../../src/domains/commands/command-file.ts';
import { exitAction } from '../../../src/domains/commands/exit-codes.ts';
import { parseCommands } from '../../../src/domains/commands/load-commands.ts';
import type { FillContext } from '../../../src/domains/commands/placeholder.ts';

const context = (payload: unknown): FillContext => ({
  payload,
  tenant: { id: 'tenant-1' },
  job: {
    id: 'job-1',
    definitionKey: 'sync',
    runNo: 2,
    attemptCount: 1,
    subjectType: 'video',
    subjectId: 'v1',
  },
});
const fill = (argv: readonly ArgvItem[], payload: unknown = {}): readonly string[] =>
  compileArgv(argv as ArgvItem[]).fill(context(payload));

describe('the arguments of a command', () => {
  it('are filled from the payload, the tenant and the job', () => {
    const argv = [
      'zoltag',
      'sync',
      '--tenant-id',
      '{{tenant.id}}',
      '--run={{job.runNo}}',
      '{{payload.a.b}}/{{payload.n}}',
    ];
    expect(fill(argv, { a: { b: 'x y' }, n: 7 })).toEqual([
      'sync',
      '--tenant-id',
      'tenant-1',
      '--run=2',
      'x y/7',
    ]);
  });

  it('omit the group of an absent field, and repeat the group of an array', () => {
    const argv: ArgvItem[] = ['zoltag', ['--path', '{{payload.path}}'], ['--tag', '{{payload.tags}}']];
    expect(fill(argv)).toEqual([]);
    expect(fill(argv, { path: null, tags: [] })).toEqual([]);
    expect(fill(argv, { path: '/a', tags: ['x', 'y'] })).toEqual([
      '--path',
      '/a',
      '--tag',
      'x',
      '--tag',
      'y',
    ]);
    expect(fill(['zoltag', '{{payload.files}}'], { files: ['a', 'b'] })).toEqual(['a', 'b']);
  });

  it('have a flag where a field is present and not false', () => {
    const argv: ArgvItem[] = ['zoltag', { when: 'payload.force', args: ['--force'] }];
    expect(fill(argv, { force: true })).toEqual(['--force']);
    for (const payload of [{}, { force: false }, { force: null }]) expect(fill(argv, payload)).toEqual([]);
  });

  it('fail for a field that is needed and absent, and for values that no argument holds', () => {
    expect(() => fill(['zoltag', '{{payload.path}}'])).toThrow('payload.path is absent');
    expect(() => fill(['zoltag', '{{payload.x}}'], { x: 'a\0b' })).toThrow('NUL');
    expect(() => fill(['zoltag', '{{payload.x}}'], { x: { y: 1 } })).toThrow('an object');
  });

  it('reach nothing of a prototype', () => {
    for (const path of ['constructor', '__proto__', 'toString'])
      expect(() => fill(['zoltag', `{{payload.${path}}}`])).toThrow(`payload.${path} is absent`);
  });

  it.each([
    [['{{payload.program}}'], 'argv[0]'],
    [['zoltag', '--{{payload.name}}=1'], 'argv[1]'],
    [['zoltag', '-{{payload.flag}}'], 'argv[1]'],
    [['zoltag', '-n{{payload.flag}}'], 'argv[1]'],
    [['zoltag', '{{env.HOME}}'], 'argv[1]'],
    [['zoltag', '{{payload}}'], 'argv[1]'],
    [['zoltag', ['--x', '{{payload.a b}}']], 'argv[1][1]'],
    [['zoltag', '{{payload.a'], 'argv[1]'],
    [['zoltag', { when: 'env.X', args: ['-v'] }], 'argv[1]'],
  ])('are refused at load for %j', (argv, place) => {
    expect(() => compileArgv(argv as ArgvItem[])).toThrow(place);
  });

  it('never hold an option that the entry does not name, whatever the payload', () => {
    const argv: ArgvItem[] = [
      'zoltag',
      'sync',
      '{{payload.a}}',
      ['--path', '{{payload.b}}'],
      '--name={{payload.c}}',
      ['--tag', '{{payload.d}}'],
      '{{payload.e}}{{payload.a}}',
      'x{{payload.b}}',
    ];
    const named = ['--path', '--tag'];
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('--', '-', '--force', '-rf', '--path', '--name=x', '-1', ' --x', '\n--x'),
      fc.integer(),
    );
    fc.assert(
      fc.property(
        fc.record(
          { a: text, b: text, c: text, d: fc.array(text, { maxLength: 4 }), e: text },
          { requiredKeys: ['a', 'c', 'e'] },
        ),
        (payload) => {
          let args: readonly string[];
          try {
            args = fill(argv, payload);
          } catch (error) {
            expect((error as { type?: string }).type).toMatch(/^(UnsafeArgument|InvalidPayload)$/);
            return;
          }
          for (const argument of args)
            if (argument.startsWith('-'))
              expect(named.includes(argument) || argument.startsWith('--name=')).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('may begin with a dash after a literal --', () => {
    expect(fill(['zoltag', '--', '{{payload.file}}'], { file: '-rf' })).toEqual(['--', '-rf']);
    expect(() =>
      fill(['zoltag', '{{payload.mark}}', '{{payload.file}}'], { mark: '--', file: '-rf' }),
    ).toThrow('payload.mark');
  });
});

describe('exit codes', () => {
  it.each([
    [0, {}, 'done'],
    [1, {}, 'retry'],
    [75, { '*': 'permanent' }, 'retry'],
    [75, { '75': 'permanent' }, 'permanent'],
    [66, { '64-74': 'permanent' }, 'permanent'],
    [66, { '64-74': 'permanent', '66': 'done' }, 'done'],
    [3, { '*': 'permanent' }, 'permanent'],
    [0, { '*': 'permanent' }, 'done'],
  ] as const)('%d with %j is %s', (code, rules, action) => {
    expect(exitAction(code, rules)).toBe(action);
  });
});

describe('the file of commands', () => {
  it.each([
    [{}, 'commands'],
    [{ commands: { 'Bad Key': { argv: ['x'] } } }, 'commands'],
    [{ commands: { a: { argv: [] } } }, 'commands.a.argv'],
    [{ commands: { a: { argv: ['x'], shell: true } } }, 'commands.a'],
    [{ commands: { a: { argv: ['x'], cwd: 'here' } } }, 'commands.a: cwd'],
    [{ commands: { a: { argv: ['x'], env: { MILLRACE_JOB_ID: '1' } } } }, 'env.MILLRACE_JOB_ID'],
    [{ commands: { a: { argv: ['x'], exitCodes: { '9-3': 'done' } } } }, 'exitCodes.9-3'],
    [{ commands: { a: { argv: ['x'], definition: { timeoutSeconds: 0 } } } }, 'timeoutSeconds'],
  ])('is refused with the place for %j', (json, place) => {
    expect(() => parseCommands(json)).toThrow(place);
  });
});
