import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { type SearchScene, searchScene } from './scene.ts';

let q: TestQueue;
let s: SearchScene;
beforeAll(async () => {
  q = await openTestQueue();
  s = searchScene(q);
});
afterAll(() => q.close());

describe('what was read is found as it was written', () => {
  it.each<readonly [read: string, asked: string]>([
    ['lvanov', 'Ivanov '],
    ['1vanov', 'Ivanov '],
    ['|vanov', 'Ivanov '],
    ['mi|ler', 'Miller '],
    ['Ivanov', 'lvanov '],
    ['Ivanov', '|vanov '],
    // While it is being typed, and as a beginning.
    ['lvanov', 'Iva'],
    ['lvanov', 'Ivan*'],
    ['|vanov', 'Ivan'],
    ['lvanov Peter', '"Ivanov Peter"'],
    ['Rooml01', 'Room101 '],
    ['2ebra', 'Zebra '],
    ['guick', 'quick '],
    ['modem', 'modern '],
    // Cyrillic letters in a Latin word, as a reader of several languages writes them.
    ['Іvаnоv', 'Ivanov '],
    ['Müller', 'Muller '],
    ['Muller', 'MÜLLER '],
    ['Emile', 'Émile '],
    ['ÉMILE', 'emile '],
    ['ÉMILE', 'émi'],
    ['encyclopædia', 'encyclopaedia '],
    ['ΣΊΣΥΦΟΣ', 'Σίσυφος '],
    ['Łódź', 'lodz '],
    ['ﬁnance', 'finance '],
    ['so\u00adft', 'soft '],
    ['it´s late', "it's "],
    ['شُكْرًا', 'شكرا '],
    ['٢٠٢٦', '2026 '],
    ['Anna 2 h', 'Anna · 2 h '],
    ['Anna 2 h', '"Anna · 2 h"'],
    ['Anna · 2 h', '"Anna 2 h"'],
    ['Berlin — Paris', '"Berlin - Paris"'],
    ['Berlin Paris', '"Berlin — Paris"'],
    ['well done 👍🏽', '👍 '],
    ['well done 👍', '👍🏿 '],
    ['a ⭐ and a ⏰', '⭐ ⏰ '],
    ['coder 👩‍💻', '👩‍💻 '],
  ])('%s by %s', async (read, asked) => {
    const tenantId = await q.makeTenant();
    await s.makeVideo(tenantId, [read, 'another line']);
    expect(await s.texts(tenantId, asked)).toEqual([read]);
  });

  it.each<readonly [read: string, asked: string]>([
    ['Room 18', '16 '],
    ['10', '01 '],
    ['2026', '2025 '],
    ['lvory', '"Ivanov" '],
    ['Berlin via Paris', '"Berlin - Paris"'],
    ['home|about', '"homelabout"x '],
    ['well done', '— '],
  ])('%s not by %s', async (read, asked) => {
    const tenantId = await q.makeTenant();
    await s.makeVideo(tenantId, [read]);
    expect(await s.texts(tenantId, asked)).toEqual([]);
  });

  it('shows the words at their places, whatever folding and lone marks do', async () => {
    const tenantId = await q.makeTenant();
    await s.makeVideo(tenantId, ['  — it´s ½ | Ivanov · a|b ﬁn']);
    const places = async (query: string) => (await s.search(tenantId, query)).videos[0]?.hits[0]?.places;
    expect(await places('ivanov ')).toEqual([5]);
    expect(await places("it's ")).toEqual([2]);
    expect(await places('fin ')).toEqual([8]);
  });

  it('sorts the word itself before what looks like it', async () => {
    const tenantId = await q.makeTenant();
    await s.makeVideo(tenantId, ['lvanov', 'Ivanov', 'ivanof']);
    expect(await s.texts(tenantId, 'Ivanov ')).toEqual(['Ivanov', 'lvanov', 'ivanof']);
  });
});
