import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { maskPayload } from '../../src/core/redaction/secret-fields.ts';
import { SecretMask } from '../../src/core/redaction/secret-mask.ts';
import { isSecretField, setSecretNames } from '../../src/core/redaction/secret-name.ts';
import { SecretBox } from '../../src/payloads/secret-box.ts';

const SECRET = { type: 'string', writeOnly: true };

describe('the secret fields of a payload', () => {
  it.each([
    ['a property', { properties: { pin: SECRET } }, { pin: 'x1', n: 1 }, { pin: '•••', n: 1 }],
    ['a format', { properties: { pin: { format: 'secret' } } }, { pin: 7 }, { pin: '•••' }],
    ['a whole object', { properties: { pins: { writeOnly: true } } }, { pins: { a: 1 } }, { pins: '•••' }],
    ['items', { properties: { l: { items: SECRET } } }, { l: ['a', 'b'] }, { l: ['•••', '•••'] }],
    [
      'a reference',
      { $defs: { s: SECRET }, properties: { pin: { $ref: '#/$defs/s' } } },
      { pin: 'x' },
      { pin: '•••' },
    ],
    ['a branch', { anyOf: [{ properties: { pin: SECRET } }, {}] }, { pin: 'x' }, { pin: '•••' }],
    ['a pattern', { patternProperties: { '^p_': SECRET } }, { p_1: 'x', q: 'y' }, { p_1: '•••', q: 'y' }],
    ['other properties', { additionalProperties: SECRET }, { any: 'x' }, { any: '•••' }],
    ['a name', {}, { deep: [{ api_key: 'x', tokens: 512 }] }, { deep: [{ api_key: '•••', tokens: 512 }] }],
    ['null', { properties: { pin: SECRET } }, { pin: null, password: null }, { pin: null, password: null }],
  ])('are found by %s', (_by, schema, payload, masked) => {
    expect(maskPayload(schema, payload)).toEqual(masked);
  });

  it('are found by the names that an installation adds', () => {
    setSecretNames(['*_pin', 'ssn']);
    try {
      expect([isSecretField('card_pin'), isSecretField('SSN'), isSecretField('spin')]).toEqual([
        true,
        true,
        false,
      ]);
    } finally {
      setSecretNames([]);
    }
    expect(isSecretField('card_pin')).toBe(false);
  });

  it('are hidden in whatever comes up later, however it is written', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 6, maxLength: 40 }),
        fc.string({ maxLength: 20 }),
        (secret, around) => {
          fc.pre(secret.trim().length >= 6 && !around.includes(secret) && secret.isWellFormed());
          const mask = SecretMask.of({ properties: { pin: SECRET } }, { pin: secret, other: around });
          for (const text of [secret, JSON.stringify({ a: secret }), encodeURIComponent(secret)]) {
            const shown = mask?.text(`${around}${text}${around}`) ?? '';
            expect(shown).toContain('•••');
            expect(shown.replaceAll('•••', '')).not.toContain(secret);
          }
          expect(JSON.stringify(mask?.value({ deep: [{ [secret]: secret }] }))).not.toContain(
            JSON.stringify(secret).slice(1, -1),
          );
        },
      ),
    );
  });
});

describe('encryption at rest', () => {
  const [first, second] = [
    { id: 'k1', key: randomBytes(32) },
    { id: 'k2', key: randomBytes(32) },
  ];
  const schema = { properties: { pin: SECRET, name: {} } };
  const payload = { pin: 'hunter22', name: 'ann' };

  it('stores ciphertext, opens with the keys from before a rotation, and in no other tenant', () => {
    const sealed = new SecretBox([first]).seal('t1', schema, payload);
    expect(JSON.stringify(sealed)).not.toContain('hunter22');
    expect(sealed).toMatchObject({ name: 'ann', pin: { $encrypted: expect.stringMatching(/^v1\.k1\./) } });
    expect(new SecretBox([second, first]).open('t1', sealed)).toEqual(payload);
    expect(() => new SecretBox([second]).open('t1', sealed)).toThrow('key k1');
    expect(() => new SecretBox([first]).open('t2', sealed)).toThrow('was changed');
    expect(new SecretBox([]).seal('t1', schema, payload)).toBe(payload);
  });

  it('takes its keys from the configuration, and never shows them in an error', () => {
    const key = first.key.toString('base64');
    expect(loadConfig({ MILLRACE_ENCRYPTION_KEYS: `k1:${key}` }).encryptionKeys).toEqual([first]);
    for (const wrong of [key, `k1:${key.slice(4)}`, `k1:${key},k1:${key}`]) {
      expect(() => loadConfig({ MILLRACE_ENCRYPTION_KEYS: wrong })).toThrow('MILLRACE_ENCRYPTION_KEYS');
      try {
        loadConfig({ MILLRACE_ENCRYPTION_KEYS: wrong });
      } catch (error) {
        expect(String(error)).not.toContain(key.slice(8, 30));
      }
    }
  });
});
