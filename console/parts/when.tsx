import { distance, useNow, useTimes } from './time.ts';

/** A moment as its distance, with the time in the chosen zone beside it for a pointer. */
export function When({ at }: { readonly at: string | null | undefined }) {
  const now = useNow();
  const times = useTimes();
  if (at == null) return <span className="muted">–</span>;
  return (
    <time dateTime={at} title={`${times.at(at)} ${times.zone}`} className="num">
      {distance(at, now)}
    </time>
  );
}

/** A moment as a time, for pages that show one thing. */
export function At({ at }: { readonly at: string | null | undefined }) {
  const times = useTimes();
  if (at == null) return <span className="muted">–</span>;
  return (
    <time dateTime={at} title={times.zone} className="num">
      {times.at(at)}
    </time>
  );
}
