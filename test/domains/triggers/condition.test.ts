import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../src/core/errors.ts';
import { isSatisfied } from '../../../src/domains/triggers/condition/condition.ts';
import { parseCondition } from '../../../src/domains/triggers/condition/parse-condition.ts';
import { parseEventName, parseEventPattern, patternsOf } from '../../../src/domains/triggers/event-name.ts';

const data = {
  size: 12,
  kind: 'folder',
  tags: ['a', 'b'],
  file: { name: 'x.mp4', at: '2026-11-30T10:00:00Z' },
  none: null,
};
const holds = (condition: unknown): boolean => isSatisfied(parseCondition(condition), data);

describe('a condition on an event', () => {
  test.each([
    [{ field: 'size', equals: 12 }, true],
    [{ field: 'size', equals: '12' }, false],
    [{ field: 'size', gt: 10, lt: 12 }, false],
    [{ field: 'size', gte: 12, lte: 12 }, true],
    [{ field: 'size', gt: '1' }, false],
    [{ field: 'file.at', lt: '2026-12-01' }, true],
    [{ field: 'kind', in: ['file', 'folder'] }, true],
    [{ field: 'kind', notIn: ['file', 'folder'] }, false],
    [{ field: 'missing', notEquals: 1 }, true],
    [{ field: 'missing', equals: null }, false],
    [{ field: 'none', equals: null, exists: true }, true],
    [{ field: 'missing', exists: false }, true],
    [{ field: 'constructor', exists: true }, false],
    [{ field: 'file.name', startsWith: 'x', endsWith: '.mp4', contains: '.' }, true],
    [{ field: 'tags', contains: 'b' }, true],
    [{ field: 'tags.0', equals: 'a' }, true],
    [{ field: 'tags.length', exists: true }, false],
    [{ all: [{ field: 'size', gt: 1 }, { not: { field: 'kind', equals: 'file' } }] }, true],
    [
      {
        any: [
          { field: 'size', gt: 100 },
          { field: 'kind', equals: 'file' },
        ],
      },
      false,
    ],
  ])('%j gives %j', (condition, expected) => {
    expect(holds(condition)).toBe(expected);
  });

  test.each([
    [null, 'condition', /\{ all \}/],
    [{ field: 'a' }, 'condition', /equals/],
    [{ field: '', equals: 1 }, 'condition.field', /dots/],
    [{ field: 'a', matches: '.*' }, 'condition.matches', /startsWith/],
    [{ field: 'a', equals: {} }, 'condition.equals', /a text, a number/],
    [{ all: [] }, 'condition.all', /1 to 100/],
    [{ all: [{ field: 'a', in: [] }] }, 'condition.all[0].in', /1 to 100/],
    [{ all: [{ field: 'a', exists: 1 }], any: [] }, 'condition.field', /dots/],
    [
      Array.from({ length: 9 }).reduce<unknown>((not) => ({ not }), { field: 'a', equals: 1 }),
      `condition${'.not'.repeat(9)}`,
      /8 levels/,
    ],
  ])('%j is refused at its place', (condition, field, allowed) => {
    try {
      parseCondition(condition);
      throw new Error('It was accepted');
    } catch (error) {
      expect(error).toBeInstanceOf(DomainError);
      expect((error as DomainError).details).toMatchObject({
        field,
        allowed: expect.stringMatching(allowed),
      });
    }
  });

  test('is read or refused by a typed error, and evaluates to true or false, whatever the JSON', () => {
    const ops = fc.constantFrom(
      'field',
      'all',
      'any',
      'not',
      'equals',
      'in',
      'gt',
      'contains',
      'exists',
      '__proto__',
    );
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue(),
        fc.dictionary(ops, tie('node')),
        fc.array(tie('node'), { maxLength: 4 }),
      ),
    })).node;
    fc.assert(
      fc.property(tree, fc.jsonValue(), (condition, value) => {
        try {
          expect(typeof isSatisfied(parseCondition(condition), value)).toBe('boolean');
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('an event name', () => {
  test('is found by every pattern that matches it, and by no other', () => {
    expect(patternsOf('provider.folder.updated')).toEqual([
      'provider.folder.updated',
      'provider.*',
      'provider.folder.*',
    ]);
    expect(patternsOf('ping')).toEqual(['ping']);
  });

  test.each(['', 'A.b', 'a..b', '.a', 'a.*', 'a b', 'x'.repeat(201)])('%j is refused', (name) => {
    expect(() => parseEventName(name)).toThrow(DomainError);
  });

  test.each(['*', 'a.*.b', 'a*', '.*'])('%j is refused as a pattern', (pattern) => {
    expect(() => parseEventPattern(pattern)).toThrow(DomainError);
  });

  test.each(['a', 'a.*', 'provider.folder.updated'])('%j is taken as a pattern', (pattern) => {
    expect(parseEventPattern(pattern)).toBe(pattern);
  });
});
