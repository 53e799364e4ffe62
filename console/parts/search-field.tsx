import { Search } from 'lucide-react';

/** The large field of a page that searches; what is typed stands in the address. */
export function SearchField({
  label,
  example,
  value,
  onSearch,
}: {
  readonly label: string;
  /** What may be typed, shown while nothing is. */
  readonly example: string;
  readonly value: string;
  /** Undefined for an empty field. */
  readonly onSearch: (text: string | undefined) => void;
}) {
  return (
    <div className="field-with-icon search-field">
      <Search aria-hidden="true" size={18} />
      <input
        type="search"
        data-find
        aria-label={label}
        placeholder={example}
        value={value}
        maxLength={500}
        onChange={({ target }) => onSearch(target.value || undefined)}
      />
    </div>
  );
}
