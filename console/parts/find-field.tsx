/** The field of a page's head that its list is searched with; `/` goes to it. */
export function FindField({
  label,
  value,
  onFind,
}: {
  /** "Find a schedule". */
  readonly label: string;
  readonly value: string;
  /** Gets the text; undefined when there is none. */
  readonly onFind: (text: string | undefined) => void;
}) {
  return (
    <input
      data-find
      className="head-find"
      aria-label={label}
      placeholder="Find"
      value={value}
      onChange={({ target }) => onFind(target.value || undefined)}
    />
  );
}
