import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { DefinitionKeys } from '../api/operations.gen.ts';
import { run } from '../api/run.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useViewer } from '../session/viewer.ts';
import { placesOf } from './places.ts';

interface Target {
  readonly name: string;
  readonly kind: string;
  readonly go: () => unknown;
}

/** Goes to a page, a definition, or a job by its id. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const found = useTargets(text.trim());
  const chosen = Math.min(at, found.length - 1);
  const go = (target: Target | undefined): void => {
    if (target === undefined) return;
    onClose();
    target.go();
  };
  return (
    <Dialog title="Go to" onClose={onClose} className="palette">
      <input
        role="combobox"
        aria-label="A page, a definition, or a job’s id"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[chosen] && `${id}-${chosen}`}
        placeholder="A page, a definition, or a job’s id"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, found.length - 1));
          else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0));
          else if (event.key === 'Enter') go(found[chosen]);
          else return;
          event.preventDefault();
        }}
      />
      <div className="palette-list" role="listbox" id={id} aria-label="Found">
        {found.map((target, index) => (
          <button
            key={`${target.kind} ${target.name}`}
            id={`${id}-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => go(target)}
          >
            {target.name} <span className="muted small">{target.kind}</span>
          </button>
        ))}
      </div>
      {found.length === 0 && <p className="muted">Nothing is called so.</p>}
    </Dialog>
  );
}

function useTargets(text: string): readonly Target[] {
  const client = useMillrace();
  const viewer = useViewer();
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ['definition-keys'],
    queryFn: ({ signal }) => run(client, DefinitionKeys, {}, signal),
    staleTime: 60_000,
  });
  const pages: Target[] = placesOf(viewer).map(({ to, name }) => ({
    name,
    kind: 'page',
    go: () => navigate({ to, search: {} }),
  }));
  const definitions: Target[] = (data?.jobDefinitions?.nodes ?? []).map(({ key }) => ({
    name: key,
    kind: 'definition',
    go: () => navigate({ to: '/definitions/$key', params: { key }, search: {} }),
  }));
  const isId = /^(Job:)?[\w-]{20,}$/.test(text);
  const job: Target[] = isId
    ? [
        {
          name: text,
          kind: 'job',
          go: () => navigate({ to: '/jobs/$jobId', params: { jobId: text.replace('Job:', '') }, search: {} }),
        },
      ]
    : [];
  const words = text.toLowerCase();
  return [...job, ...pages, ...definitions].filter(
    ({ name, kind }) => kind === 'job' || name.toLowerCase().includes(words),
  );
}
