/**
 * A change of settings: null clears, absent leaves. Null for what cannot be cleared is the use-case's to
 * refuse.
 */
export type Patch<Settings> = { readonly [Field in keyof Settings]?: Settings[Field] | null | undefined };

/** What a patch changes, and what it comes to. */
export interface Change<Settings> {
  readonly old: Partial<Settings>;
  readonly new: Partial<Settings>;
  readonly after: Settings;
}

/** Lays a patch over settings; null when it changes nothing. */
export function changeOf<Settings extends object>(
  before: Settings,
  patch: Patch<Settings>,
): Change<Settings> | null {
  const fields = (Object.keys(before) as (keyof Settings)[]).filter(
    (field) => patch[field] !== undefined && JSON.stringify(patch[field]) !== JSON.stringify(before[field]),
  );
  if (fields.length === 0) return null;
  const fresh = Object.fromEntries(fields.map((field) => [field, patch[field]])) as Partial<Settings>;
  const old = Object.fromEntries(fields.map((field) => [field, before[field]])) as Partial<Settings>;
  return { old, new: fresh, after: { ...before, ...fresh } };
}
