/** A time as `datetime-local` takes it: in the browser's own zone, to the second, without an offset. */
export function localInput(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
