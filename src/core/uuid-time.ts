/** When a UUIDv7 was made, to the millisecond; null for other versions, which foreign writers may bring. */
export function timeOfUuid(id: string): Date | null {
  return id[14] === '7' ? new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)) : null;
}

/** The least UUIDv7 of a time: ids made at or after it are not below, ids made before it are. */
export function uuidAtTime(time: Date): string {
  const ms = Math.min(Math.max(0, Math.ceil(time.getTime())), 2 ** 48 - 1);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** A stretch of creation times as a condition on UUIDv7s. */
export function idBounds(times: {
  readonly createdAfter?: Date | null | undefined;
  readonly createdBefore?: Date | null | undefined;
}): { gte?: string; lt?: string } {
  const { createdAfter, createdBefore } = times;
  return {
    ...(createdAfter != null && { gte: uuidAtTime(createdAfter) }),
    ...(createdBefore != null && { lt: uuidAtTime(createdBefore) }),
  };
}

/**
 * Bounds of a page and of a stretch of creation times: ids are UUIDv7, which order and select by time without
 * a column or an index of their own.
 */
export function idBoundsOf(
  page: { readonly lt?: string; readonly gt?: string },
  times: Parameters<typeof idBounds>[0],
): { readonly operator: '<' | '>' | '>='; readonly id: string }[] {
  const { gte, lt } = idBounds(times);
  const bounds = [
    ['>', page.gt],
    ['<', page.lt],
    ['>=', gte],
    ['<', lt],
  ] as const;
  return bounds.flatMap(([operator, id]) => (id === undefined ? [] : [{ operator, id }]));
}
