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

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/;

/** A text of the server, its times as those of the page. */
export function WithTimes({ text }: { readonly text: string }) {
  const found = INSTANT.exec(text);
  if (found === null) return text;
  return (
    <>
      {text.slice(0, found.index)}
      <At at={found[0]} />
      <WithTimes text={text.slice(found.index + found[0].length)} />
    </>
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
