type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Line {
  readonly name: string;
  /** Before the act; absent where nothing was changed. */
  readonly old?: unknown;
  readonly value: unknown;
}

/** What an entry of the audit log says, a line a field: what it was set to, and from what. */
export function AuditDetails({ details }: { readonly details: unknown }) {
  if (!isValues(details)) return <code>{JSON.stringify(details)}</code>;
  return (
    <ul className="audit-details">
      {linesOf(details).map(({ name, value, ...rest }) => (
        <li key={name}>
          <span className="muted">{name}</span>{' '}
          {'old' in rest && (
            <>
              <del>{inWords(rest.old)}</del> <span aria-hidden="true">→</span>{' '}
            </>
          )}
          {inWords(value)}
        </li>
      ))}
    </ul>
  );
}

function linesOf(details: Values): readonly Line[] {
  return Object.entries(details).flatMap(([name, value]): readonly Line[] => {
    if (name === 'old' && isValues(details['new'])) return [];
    if (name === 'new' && isValues(value)) {
      const old = isValues(details['old']) ? details['old'] : {};
      const names = new Set([...Object.keys(old), ...Object.keys(value)]);
      return [...names].map((each) => ({ name: each, old: old[each], value: value[each] }));
    }
    if (isValues(value) && 'from' in value && 'to' in value)
      return [{ name, old: value['from'], value: value['to'] }];
    return [{ name, value }];
  });
}

function inWords(value: unknown): string {
  if (value == null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
