import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { DocumentCache } from '../../src/graphql/prepare/document-cache.ts';
import { NO_MANIFEST } from '../../src/graphql/prepare/manifest.ts';
import { Preparer } from '../../src/graphql/prepare/preparer.ts';
import type { Identity } from '../../src/identity/identity.ts';
import { schema } from '../support/schema.ts';
import { threadCpuMs } from '../support/thread-cpu.ts';

const tenantId = '01900000-0000-7000-8000-000000000001';
const alice: Identity = {
  actor: { tenantId, role: 'member', name: 'user:alice', expiresAt: null, credentialId: null, scopes: null },
  credential: {
    tenantId,
    role: 'member',
    subject: 'alice',
    credentialId: null,
    issuedAt: null,
    expiresAt: null,
    scopes: null,
    persistedOnly: false,
  },
  persistedOnly: false,
  key: 'alice',
};

describe('a document', () => {
  it('is read and checked once, however often it comes and by which transport', () => {
    const preparer = new Preparer(schema, loadConfig({}), NO_MANIFEST);
    const query = '{ viewer { name role } }';
    const documents = Array.from({ length: 3 }, () => {
      const prepared = preparer.prepare({ query: `${query} ` }, alice);
      if (!('text' in prepared)) throw prepared[0];
      return prepared.document;
    });
    expect(new Set(documents).size).toBe(1);
  });

  it('that is known is prepared faster than one that has to be checked', () => {
    const preparer = new Preparer(schema, loadConfig({}), NO_MANIFEST);
    const text = (i: number) => `{ jobs(first: 5) { nodes { id status version createdAt } } } # ${i}`;
    const timed = (count: number, textOf: (i: number) => string) => {
      const startedMs = threadCpuMs();
      for (let i = 0; i < count; i++) preparer.prepare({ query: textOf(i) }, alice);
      return (threadCpuMs() - startedMs) / count;
    };
    timed(20, text);
    const checkedMs = timed(50, (i) => text(1_000 + i));
    const knownMs = timed(200, () => text(1));
    expect(knownMs).toBeLessThan(checkedMs);
  });

  it('takes no more memory in all than there is for them: the least used go', () => {
    const cache = new DocumentCache(200_000);
    const add = (i: number) => {
      const text = `{ a${i} b c d e f }`;
      cache.add({ text, document: parse(text), introspects: false });
      return text;
    };
    const first = add(0);
    for (let i = 1; i < 500; i++) {
      add(i);
      // Asked again and again, it stays.
      expect(cache.get(first)).toBeDefined();
    }
    expect(cache.size).toBeLessThan(200);
    expect(cache.get('{ a1 b c d e f }')).toBeUndefined();
    expect(cache.get('{ a499 b c d e f }')).toBeDefined();
    // One that would take much of it alone is not kept.
    const large = `{ a(x: "${'x'.repeat(10_000)}") }`;
    cache.add({ text: large, document: parse(large), introspects: false });
    expect(cache.get(large)).toBeUndefined();
  });
});
