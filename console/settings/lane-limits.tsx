import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { DefinitionKeys, RemoveLaneLimit, SetLaneLimit } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { NumberField, numberOf } from './number-field.tsx';
import type { SettingsTenant } from './settings-tenant.ts';

/** The tenant's own limits of definitions; super admins set them. */
export function LaneLimits({
  limits,
  mayChange,
}: {
  readonly limits: SettingsTenant['laneLimits'];
  readonly mayChange: boolean;
}) {
  const client = useMillrace();
  const [isAdding, setAdding] = useState(false);
  const remove = useAct(
    async (definition: string) =>
      done((await run(client, RemoveLaneLimit, { input: { definition } })).removeLaneLimit),
    { says: 'The limit is removed' },
  );
  return (
    <section className="card" aria-label="Limits of definitions">
      <header className="card-head">
        <h2>Limits of definitions</h2>
        {mayChange && (
          <button type="button" className="button small" onClick={() => setAdding(true)}>
            Set a limit
          </button>
        )}
      </header>
      {remove.error !== null && <ErrorNote error={remove.error} />}
      {limits === null || limits.length === 0 ? (
        <p className="card-body muted">None beyond those of the definitions themselves.</p>
      ) : (
        <ul className="lane-limits">
          {limits.map(({ definition, maxRunning, rateLimit }) => (
            <li key={definition.key} className="row">
              <strong>{definition.key}</strong>
              <span className="grow">
                {[
                  maxRunning !== null && `${maxRunning} at once`,
                  rateLimit !== null && `${rateLimit.count} in ${rateLimit.periodSeconds} s`,
                ]
                  .filter(Boolean)
                  .join(', ')}
              </span>
              {mayChange && (
                <button
                  type="button"
                  className="button small"
                  aria-label={`Remove the limit of ${definition.key}`}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate(definition.key)}
                >
                  Remove
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isAdding && <LaneLimitDialog onClose={() => setAdding(false)} />}
    </section>
  );
}

function LaneLimitDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useMillrace();
  const [definition, setDefinition] = useState('');
  const [maxRunning, setMaxRunning] = useState('');
  const [count, setCount] = useState('');
  const [seconds, setSeconds] = useState('');
  const { data } = useQuery({
    queryKey: ['definition keys'],
    queryFn: ({ signal }) => run(client, DefinitionKeys, {}, signal),
  });
  const save = useAct(
    async () => {
      const starts = numberOf(count);
      const rateLimit = starts === null ? null : { count: starts, periodSeconds: numberOf(seconds) ?? 60 };
      const input = { definition, maxRunning: numberOf(maxRunning), rateLimit };
      return done((await run(client, SetLaneLimit, { input })).setLaneLimit);
    },
    { says: 'The limit is set', onDone: onClose },
  );
  const send = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <Dialog title="Set a limit" onClose={onClose}>
      <form className="fields" onSubmit={send}>
        <label className="field">
          Definition
          <select required value={definition} onChange={({ target }) => setDefinition(target.value)}>
            <option value="">Choose one</option>
            {data?.jobDefinitions?.nodes.map(({ key }) => (
              <option key={key}>{key}</option>
            ))}
          </select>
        </label>
        <div className="fields two">
          <NumberField label="Jobs at once (empty: no limit)" value={maxRunning} onChange={setMaxRunning} />
          <NumberField label="Starts (empty: no limit)" value={count} onChange={setCount} />
          <NumberField label="in seconds" value={seconds} onChange={setSeconds} />
        </div>
        <FormFoot error={save.error} isPending={save.isPending} verb="Save" onClose={onClose} />
      </form>
    </Dialog>
  );
}
