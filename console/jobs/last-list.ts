let last: readonly string[] = [];

/** The jobs that were listed last, for going from one to the next on the page of a job. */
export function rememberList(ids: readonly string[]): void {
  last = ids;
}

export function neighboursOf(id: string): {
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
} {
  const at = last.indexOf(id);
  return at === -1 ? {} : { previous: last[at - 1], next: last[at + 1] };
}
