-- Text as words are compared: without case, accents and the forms that only print differently. The same on
-- every server, whatever its locale. Parts neither join nor come apart by it, so that a word's place is the
-- same before and after.
create or replace function millrace.search_fold(p_text text) returns text
language sql immutable parallel safe
return case
  when p_text collate "C" ~ '^[\x01-\x7f]*$' then lower(p_text collate "C") collate "pg_c_utf8"
  else replace(replace(replace(translate(normalize(regexp_replace(casefold(normalize(
         -- Accents that stand alone would come apart into a space and a mark; people type them for
         -- apostrophes.
         translate(p_text, E'´¨¯¸˘˙˚˛˜˝῾᾿\ufeff', repeat('''', 12) || ' '), NFKD) collate "pg_unicode_fast") collate "pg_c_utf8",
         -- Marks on letters (also of Hebrew and Arabic), skin tones, and what has no width.
         '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]',
         '', 'g'), NFC), 'øłđħıŧðŋ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'oldhitdn01234567890123456789'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
end;
