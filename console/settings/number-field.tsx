export function NumberField({
  label,
  value,
  onChange,
  step = '1',
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly step?: string;
}) {
  return (
    <label className="field">
      {label}
      <input
        type="number"
        min={0}
        step={step}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

/** What a field holds; null when it is empty. */
export function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}
