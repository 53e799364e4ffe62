/**
 * The conditions of a search on a row of `links`: $1 of them is the first of five parameters, each null where
 * it does not restrict.
 */
export function matchesFilter(row: string, first: number): string {
  const [site, language, textKind, from, to] = [0, 1, 2, 3, 4].map((offset) => `$${first + offset}`);
  return `(${site}::text is null or ${row}.site_name = ${site} or split_part(split_part(${row}.url, '/', 3), ':', 1) in (${site}, 'www.' || ${site}))
    and (${language}::text is null or ${row}.language = ${language} or ${row}.language like ${language} || '-%')
    and (${textKind}::text is null or ${row}.text_kind = ${textKind})
    and (${from}::timestamptz is null or ${row}.created_at >= ${from})
    and (${to}::timestamptz is null or ${row}.created_at < ${to})`;
}
