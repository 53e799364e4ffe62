import type { SearchArgs } from '../../src/domains/search/use-cases/search-videos.ts';
import type { Stage } from './stage.ts';

/** What people search for, by kind, made of words that the archive has. */
export type SearchMix = Readonly<Record<string, readonly SearchArgs[]>>;

/** Makes `count` of each kind. A space behind the last word says that it is typed to its end. */
export async function makeSearchMix({ client, tenantId }: Stage, count: number): Promise<SearchMix> {
  const words = async (least: number, most: number): Promise<string[]> => {
    const { rows } = await client.query<{ word: string }>(
      `select word from millrace.search_words where tenant_id = $1 and segment_count between $2 and $3 and word ~ '^[a-z]{4,}$'
       order by md5(word) limit $4`,
      [tenantId, least, most, count],
    );
    return rows.map(({ word }) => word);
  };
  const { rows } = await client.query<{ text: string }>(
    'select text from millrace.segments where tenant_id = $1 order by md5(id::text) limit $2',
    [tenantId, count],
  );
  const lines = rows.map(({ text }) => text.split(' '));
  const [total] = (await client.query<{ n: number }>('select count(*)::integer as n from millrace.segments'))
    .rows;
  const share = (part: number): number => Math.max(1, Math.round((total?.n ?? 0) * part));
  const rare = await words(1, share(0.00003));
  const usual = await words(share(0.0002), share(0.002));
  const common = await words(share(0.005), share(1));
  const each = (make: (index: number) => SearchArgs): SearchArgs[] =>
    Array.from({ length: count }, (_, i) => make(i));
  const of = (list: readonly string[], index: number): string => list[index % list.length] ?? '';
  const line = (index: number): readonly string[] => lines[index % lines.length] ?? [];
  return {
    'a rare word': each((i) => ({ query: `${of(rare, i)} ` })),
    'a usual word': each((i) => ({ query: `${of(usual, i)} ` })),
    'a common word': each((i) => ({ query: `${of(common, i)} ` })),
    'two words': each((i) => ({ query: `${line(i)[1]} ${line(i)[3]} ` })),
    'a phrase': each((i) => ({ query: `"${line(i)[1]} ${line(i)[2]}"` })),
    'a beginning': each((i) => ({ query: `${of(usual, i).slice(0, 4)}*` })),
    'a typing error': each((i) => ({ query: `${misspelt(of(usual, i), i)} ` })),
    'a handle': each((i) => ({ filter: { mentions: [`user${1 + 37 * i}`] } })),
    'a price': each((i) => ({ filter: { price: { min: 20 + i, max: 30 + i, currency: 'USD' } } })),
    'a hashtag and a word': each((i) => ({
      query: `${of(common, i)} `,
      filter: { hashtags: [`tag${1 + 5 * i}`] },
    })),
  };
}

function misspelt(word: string, index: number): string {
  const at = 1 + (index % (word.length - 2));
  return word.slice(0, at) + 'qxz'.charAt(index % 3) + word.slice(at + 1);
}
