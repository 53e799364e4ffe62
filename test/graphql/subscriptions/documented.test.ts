import { readFileSync } from 'node:fs';
import { buildSchema, isEnumType, isInputObjectType, isUnionType, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { SUMMARY_WINDOWS_SECONDS } from '../../../src/events/job-summary.ts';

const textOf = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const schema = buildSchema(textOf('schema.graphql'));
const page = textOf('docs/realtime.md');
const documents = [...page.matchAll(/^```graphql\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? '');

describe('the page about watching', () => {
  it.each(documents)('has a document that the schema takes: %s', (document) => {
    expect(validate(schema, parse(document))).toEqual([]);
  });

  it('names every subscription', () => {
    for (const name of Object.keys(schema.getSubscriptionType()?.getFields() ?? {}))
      expect(page).toContain(`| \`${name}(`);
  });

  it('names every event of jobChanges, every field of its filter and every window of jobSummary', () => {
    const events = schema.getType('JobChangeEvent');
    if (!isUnionType(events)) throw new Error('no union');
    for (const { name } of events.getTypes()) expect(page).toContain(`| \`${name}\` |`);
    const filter = schema.getType('JobChangesFilter');
    if (!isInputObjectType(filter)) throw new Error('no input');
    for (const name of Object.keys(filter.getFields())) expect(page).toContain(`| \`${name}\` |`);
    expect(page).toContain(
      `${SUMMARY_WINDOWS_SECONDS.slice(0, -1).join(', ').replace('3600', '3600 (the default)')} or ${SUMMARY_WINDOWS_SECONDS.at(-1)}.`,
    );
  });

  it.each(['Video', 'Clip'])('names the events of the list of %ss and every field of its filter', (kind) => {
    const events = schema.getType(`${kind}ChangeEvent`);
    if (!isUnionType(events)) throw new Error('no union');
    for (const { name } of events.getTypes()) expect(page).toContain(`\`${name}\``);
    const filter = schema.getType(`${kind}ChangesFilter`);
    if (!isInputObjectType(filter)) throw new Error('no input');
    for (const name of Object.keys(filter.getFields())) expect(page).toContain(`| \`${name}\` |`);
  });

  it('says how many statuses there are', () => {
    const statuses = schema.getType('JobStatus');
    expect(isEnumType(statuses) && statuses.getValues()).toHaveLength(6);
    expect(page).toContain('any of the six');
  });
});
