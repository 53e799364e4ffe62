import { statement } from '../../../db/statement.ts';

/**
 * Adds the words of a call to its tenant's vocabulary. In their order, so that two calls do not wait for each
 * other crosswise.
 */
export const insertCallWords = statement(
  'insert_call_words',
  `
insert into millrace.call_words (tenant_id, word, typo_keys)
select $2::uuid, w.word, millrace.search_typo_keys($2::uuid, w.word)
from (select distinct s.word from millrace.call_turns t cross join lateral millrace.search_tokens(left(t.text, 20000)) s
      where t.call_id = $1::uuid) w
where not exists (select from millrace.call_words k where k.tenant_id = $2::uuid and k.word = w.word)
order by w.word
on conflict do nothing`,
);
