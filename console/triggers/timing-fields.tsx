import { INTERVAL_UNITS, TIMING_KINDS, type Timing } from './timing.ts';

const NAMES: Readonly<Record<Timing['kind'], string>> = {
  cron: 'By cron',
  interval: 'At equal distances',
  once: 'Once',
};
/** The most that the API takes: 366 days. */
const MAX_SECONDS = 31_622_400;

/** When a schedule runs: one of three kinds, and the field of it. */
export function TimingFields({
  timing,
  onChange,
}: {
  readonly timing: Timing;
  readonly onChange: (change: Partial<Timing>) => void;
}) {
  return (
    <>
      <fieldset className="segments timing-kinds">
        <legend className="visually-hidden">When it runs</legend>
        {TIMING_KINDS.map((kind) => (
          <button
            key={kind}
            type="button"
            aria-pressed={timing.kind === kind}
            onClick={() => onChange({ kind })}
          >
            {NAMES[kind]}
          </button>
        ))}
      </fieldset>
      <TimingField timing={timing} onChange={onChange} />
    </>
  );
}

function TimingField({
  timing: { kind, cron, intervalText, unitSeconds, runAtText },
  onChange,
}: {
  readonly timing: Timing;
  readonly onChange: (change: Partial<Timing>) => void;
}) {
  if (kind === 'cron')
    return (
      <label className="field">
        Cron
        <input
          required
          className="mono"
          value={cron}
          onChange={({ target }) => onChange({ cron: target.value })}
        />
      </label>
    );
  if (kind === 'once')
    return (
      <label className="field">
        At (your time zone)
        <input
          required
          type="datetime-local"
          step={1}
          value={runAtText}
          onChange={({ target }) => onChange({ runAtText: target.value })}
        />
      </label>
    );
  return (
    <div className="interval">
      <label className="field">
        Every
        <input
          required
          type="number"
          min={1}
          max={Math.floor(MAX_SECONDS / unitSeconds)}
          value={intervalText}
          onChange={({ target }) => onChange({ intervalText: target.value })}
        />
      </label>
      <label className="field">
        Unit
        <select
          value={unitSeconds}
          onChange={({ target }) => onChange({ unitSeconds: Number(target.value) })}
        >
          {INTERVAL_UNITS.map(({ name, seconds }) => (
            <option key={name} value={seconds}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
