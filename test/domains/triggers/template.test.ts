import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../src/core/errors.ts';
import { parseTemplate } from '../../../src/domains/triggers/template/parse-template.ts';
import {
  renderTemplate,
  TemplateRenderError,
} from '../../../src/domains/triggers/template/render-template.ts';
import { threadCpuMs } from '../../support/thread-cpu.ts';

const context = {
  event: {
    id: 'e1',
    size: 12,
    big: 2 ** 53 - 1,
    ok: false,
    none: null,
    folder_path: '/in',
    'x-y': 'dash',
    list: [1, { a: 'b' }],
    nested: { deep: { value: 'v' } },
  },
  trigger: { id: 't1' },
  tenant: { id: 'n1' },
};
const fill = (template: unknown): unknown => renderTemplate(parseTemplate(template), context);

describe('a payload template', () => {
  test.each([
    ['{{event.size}}', 12],
    ['{{ event.ok }}', false],
    ['{{event.none}}', null],
    ['{{event.list}}', [1, { a: 'b' }]],
    ['{{event.list.1.a}}', 'b'],
    ['{{event.nested.deep}}', { value: 'v' }],
    ['{{event.x-y}}', 'dash'],
    ['{{event.folder_path}}/{{event.size}}', '/in/12'],
    ['{{trigger.id}}@{{tenant.id}}', 't1@n1'],
    ['{{event.missing | default: "a}}b"}}', 'a}}b'],
    ['{{event.missing | default: {"a": [1]} }}', { a: [1] }],
    ['{{event.size | default: 3}}', 12],
    ['\\{{event.size}}', '{{event.size}}'],
    ['plain', 'plain'],
    ['', ''],
    [{ a: '{{event.missing | optional}}', b: 1 }, { b: 1 }],
    [
      [1, '{{event.missing | optional}}', 2],
      [1, 2],
    ],
    [{ '{{event.size}}': true }, { '{{event.size}}': true }],
    [7, 7],
  ])('%j is filled to %j', (template, filled) => {
    expect(JSON.parse(JSON.stringify(fill(template)))).toEqual(filled);
  });

  test.each([
    ['{{event.missing}}', /\{\{event.missing\}\} is missing: there is no "missing"/],
    ['{{event.nested.deep.other}}', /there is no "other"/],
    ['{{event.size.a}}', /there is no "a"/],
    ['{{event.list.length}}', /there is no "length"/],
    ['{{event.constructor}}', /there is no "constructor"/],
    ['{{event.__proto__}}', /there is no "__proto__"/],
    ['{{schedule.scheduledAt}}', /there is no "schedule"/],
    ['x{{event.nested}}', /is an object and cannot stand within a text/],
  ])('%j cannot be filled, and the error names its place', (text, message) => {
    const template = parseTemplate({ a: [text] });
    expect(() => renderTemplate(template, context)).toThrow(message);
    try {
      renderTemplate(template, context);
    } catch (error) {
      expect(error).toMatchObject({ field: 'payloadTemplate.a[0]' });
    }
  });

  test.each([
    ['{{event.a', /no closing/],
    ['{{}}', /known names/],
    ['{{env.HOME}}', /known names/],
    ['{{event..a}}', /no path/],
    ['{{event.a | upper}}', /unknown filter/],
    ['{{event.a | default: abc}}', /not JSON/],
    ['{{event.a()}}', /no path/],
  ])('%j is refused when it is saved', (text, message) => {
    expect(() => parseTemplate({ a: text })).toThrow(message);
  });

  test('gives a field named __proto__ no power', () => {
    const filled = fill(JSON.parse('{"__proto__": {"polluted": "{{event.id}}"}}'));
    expect(JSON.stringify(filled)).toBe('{"__proto__":{"polluted":"e1"}}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('is filled or refused by a typed error whatever JSON it is, and returns JSON without placeholders as it was', () => {
    const pieces = fc.constantFrom(
      '{{',
      '}}',
      'event',
      '.',
      'a',
      ' | ',
      'default:',
      '"',
      '\\',
      'optional',
      '1',
      '{',
      '}',
      '[',
      '😀',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(text, text), text), (template) => {
        try {
          const filled = fill(template);
          if (!JSON.stringify(template).includes('{{'))
            expect(JSON.stringify(filled)).toBe(JSON.stringify(template));
        } catch (error) {
          expect(error instanceof DomainError || error instanceof TemplateRenderError, String(error)).toBe(
            true,
          );
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('is read in time by its length', () => {
    const beforeMs = threadCpuMs();
    for (const piece of ['{{', '{{event.a', '{', '}}', '"', '\\{{']) {
      try {
        parseTemplate(piece.repeat(Math.floor(60_000 / piece.length)));
      } catch (error) {
        expect(error).toBeInstanceOf(DomainError);
      }
    }
    expect(threadCpuMs() - beforeMs).toBeLessThan(5_000);
  });
});
