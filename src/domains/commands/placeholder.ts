/** What placeholders are filled from. */
export interface FillContext {
  readonly payload: unknown;
  readonly tenant: { readonly id: string };
  readonly job: {
    readonly id: string;
    readonly definitionKey: string;
    readonly runNo: number;
    readonly attemptCount: number;
    readonly subjectType: string | null;
    readonly subjectId: string | null;
  };
}

/** A piece of a template: a text as it stands, or the path of a field. */
export type Piece = { readonly text: string } | { readonly path: readonly string[] };

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;
const PATH = /^(payload|tenant|job)(\.[A-Za-z0-9_$-]{1,100}){0,20}$/;
const TENANT_FIELDS = ['id'];
const JOB_FIELDS = ['id', 'definitionKey', 'runNo', 'attemptCount', 'subjectType', 'subjectId'];

/**
 * Cuts a template into its pieces.
 * @throws Error whose message says what is wrong
 */
export function parseTemplate(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    if (match.index > from) pieces.push({ text: template.slice(from, match.index) });
    pieces.push({ path: parsePath(match[1] ?? '') });
    from = match.index + match[0].length;
  }
  if (from < template.length) pieces.push({ text: template.slice(from) });
  const stray = pieces.find((piece) => 'text' in piece && /\{\{|\}\}/.test(piece.text));
  if (stray !== undefined) throw new Error(`${JSON.stringify(template)} has braces that are no placeholder`);
  return pieces;
}

/** @throws Error for a field that there cannot be */
export function parsePath(path: string): readonly string[] {
  const parts = path.split('.');
  const [root, field = ''] = parts;
  const isKnown =
    PATH.test(path) &&
    (root === 'payload'
      ? parts.length > 1
      : parts.length === 2 && (root === 'tenant' ? TENANT_FIELDS : JOB_FIELDS).includes(field));
  if (isKnown) return parts;
  throw new Error(
    `{{${path.slice(0, 80)}}} is no placeholder; allowed: payload.<field>, ${TENANT_FIELDS.map((name) => `tenant.${name}`).join(', ')}, ${JOB_FIELDS.map((name) => `job.${name}`).join(', ')}`,
  );
}

/**
 * The value of a field; undefined when it is absent. Own fields only: nothing of a prototype is ever reached.
 */
export function valueAt(path: readonly string[], context: FillContext): unknown {
  let value: unknown = context;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value ?? undefined;
}
