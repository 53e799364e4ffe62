import { useQuery } from '@tanstack/react-query';
import { Search, X } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { DefinitionKeys } from '../api/operations.gen.ts';
import { run } from '../api/run.ts';
import { STATUSES } from '../parts/status.tsx';
import { type JobsParams, TOKENS } from './job-params.ts';
import { JOBS_PARAMS } from './jobs-address.ts';

const NAMES = ['status', ...TOKENS] as const;

/**
 * Chips of what narrows the list, and a field that takes more of them: `definition:echo`, `tag:night`, or a
 * job's id.
 */
export function FilterBar({
  params,
  onChange,
}: {
  readonly params: JobsParams;
  readonly onChange: (change: JobsParams) => void;
}) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const read = readToken(text.trim());
    setProblem(typeof read === 'string' ? read : null);
    if (typeof read === 'string') return;
    setText('');
    onChange(read);
  };
  return (
    <div className="filter-bar">
      {TOKENS.flatMap((name) => {
        const value = params[name];
        if (value === undefined) return [];
        return (
          <span key={name} className="chip">
            <span className="muted">{name}:</span> <span className="chip-value">{value}</span>
            <button
              type="button"
              aria-label={`Remove ${name} ${value}`}
              onClick={() => onChange({ [name]: undefined })}
            >
              <X aria-hidden="true" size={13} />
            </button>
          </span>
        );
      })}
      <form className="field-with-icon grow" onSubmit={add}>
        <Search aria-hidden="true" size={15} />
        <input
          data-find
          list={`${id}-list`}
          aria-label="Filter"
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          placeholder="Filter: definition:echo  subject:order:42  tag:night  payload:order.id=7"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setProblem(null);
          }}
        />
        <Suggestions id={`${id}-list`} text={text} />
        {problem !== null && (
          <p id={`${id}-problem`} className="field-problem" role="alert">
            {problem}
          </p>
        )}
      </form>
    </div>
  );
}

function readToken(text: string): JobsParams | string {
  const at = text.indexOf(':');
  if (at === -1 && JOBS_PARAMS.id.test(text) && text.length >= 20) return { id: text };
  const name = NAMES.find((each) => each === text.slice(0, at).toLowerCase());
  if (name === undefined)
    return `Write one of ${NAMES.map((each) => `${each}:`).join(' ')} and what it should be.`;
  const given = text.slice(at + 1).trim();
  const value = name === 'status' ? given.toUpperCase().replaceAll(' ', '_') : given;
  return JOBS_PARAMS[name].test(value) ? { [name]: value } : `${name}: takes no "${given}".`;
}

function Suggestions({ id, text }: { readonly id: string; readonly text: string }) {
  const client = useMillrace();
  const wantsKeys = text.startsWith('definition:');
  const { data } = useQuery({
    queryKey: ['definition-keys'],
    queryFn: ({ signal }) => run(client, DefinitionKeys, {}, signal),
    staleTime: 60_000,
    enabled: wantsKeys,
  });
  const values = wantsKeys
    ? (data?.jobDefinitions?.nodes ?? []).map(({ key }) => `definition:${key}`)
    : text.startsWith('status:')
      ? Object.keys(STATUSES).map((status) => `status:${status.toLowerCase()}`)
      : NAMES.map((name) => `${name}:`);
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
