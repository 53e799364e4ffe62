import { parseJson } from '../core/parse-json.ts';

/** What the use-cases call otherwise than the REST API. */
const RENAMED: Readonly<Record<string, string>> = {
  definition: 'definition_key',
  definitions: 'definition_key',
  statuses: 'status',
  sources: 'source',
  cron: 'cron_expr',
  timeZone: 'timezone',
  first: 'limit',
  query: 'q',
  payloadSchema: 'arg_schema',
};

/** Fields whose insides are the caller's own: nothing below them is renamed. */
const OPAQUE = ['payload', 'data', 'metadata', 'payload_template', 'arg_schema', 'condition', 'tags'];

/** `dependsOn[0].jobId` as the REST API has it: `depends_on[0].job_id`. */
export function restField(field: string): string {
  const inside = field.replace(/^filter\.subject\./, 'subject_').replace(/^(filter|input)\.(?=.)/, '');
  const parts = inside.split('.');
  const named: string[] = [];
  for (const [index, part] of parts.entries()) {
    named.push(restWord(part));
    if (OPAQUE.includes((named.at(-1) ?? '').replace(/\[.*$/, '')))
      return [...named, ...parts.slice(index + 1)].join('.');
  }
  return named.join('.');
}

function restWord(part: string): string {
  const [, name = '', rest = ''] = /^([^[]*)(.*)$/s.exec(part) ?? [];
  return `${RENAMED[name] ?? snakeCase(name)}${rest}`;
}

/**
 * A message or an "allowed" with fields as the REST API has them. What stands in quotes is the caller's own
 * text, and stays.
 */
export function restText(text: string, field?: string): string {
  const named = field === undefined ? text : replaceFirst(text, field, restField(field));
  return named
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, (word) => restWord(word)),
    )
    .join('');
}

function replaceFirst(text: string, from: string, to: string): string {
  if (from === '' || from === to || /^(payload|data|metadata)\b/.test(from)) return text;
  const at = text.search(new RegExp(`(?<![\\w.])${from.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\w])`));
  return at === -1 ? text : text.slice(0, at) + to + text.slice(at + from.length);
}

/** `scheduledFor` is `scheduled_for`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A field as a JSON pointer into the body: `payload.items[3].url` is `#/payload/items/3/url`. */
export function pointerOf(field: string): string {
  const steps = field.match(/\["(?:[^"\\]|\\.)*"\]|\[\d+\]|[^.[\]]+/g) ?? [];
  const names = steps.map((step) => {
    const inner = step.startsWith('[') ? step.slice(1, -1) : step;
    return inner.startsWith('"') ? (parseJson(inner) as string) : inner;
  });
  return `#${names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`;
}
