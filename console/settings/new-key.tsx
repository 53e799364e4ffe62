import { useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { CreateApiKey } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { SecretShown } from '../parts/secret-shown.tsx';

const SCOPES = ['JOBS_READ', 'JOBS_WRITE', 'VIDEOS_READ', 'VIDEOS_WRITE', 'ADMIN'] as const;
type Scope = (typeof SCOPES)[number];

/** Makes a key and shows its secret, this once. */
export function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useMillrace();
  const [name, setName] = useState('');
  const [role, setRole] = useState<'MEMBER' | 'TENANT_ADMIN'>('MEMBER');
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set());
  const make = useAct(async () => {
    const input = { name, role, ...(scopes.size > 0 && { scopes: [...scopes] }) };
    return done((await run(client, CreateApiKey, { input })).createApiKey).secret;
  });
  const secret = make.data;
  return (
    <Dialog title="New API key" onClose={onClose}>
      {secret === undefined ? (
        <form
          className="fields"
          onSubmit={(event) => {
            event.preventDefault();
            make.mutate(undefined);
          }}
        >
          <label className="field">
            Name
            <input required value={name} maxLength={100} onChange={({ target }) => setName(target.value)} />
          </label>
          <label className="field">
            Role
            <select value={role} onChange={({ target }) => setRole(target.value as 'MEMBER')}>
              <option value="MEMBER">member</option>
              <option value="TENANT_ADMIN">tenant admin</option>
            </select>
          </label>
          <fieldset className="fields">
            <legend className="label">Scopes (none: all that the role may)</legend>
            {SCOPES.map((scope) => (
              <label key={scope} className="check">
                <input
                  type="checkbox"
                  checked={scopes.has(scope)}
                  onChange={({ target }) => {
                    const next = new Set(scopes);
                    if (target.checked) next.add(scope);
                    else next.delete(scope);
                    setScopes(next);
                  }}
                />
                {scope.toLowerCase().replace('_', ':')}
              </label>
            ))}
          </fieldset>
          {make.error !== null && <ErrorNote error={make.error} />}
          <div className="dialog-foot">
            <button type="submit" className="button primary" disabled={make.isPending}>
              Make the key
            </button>
          </div>
        </form>
      ) : (
        <SecretShown
          what="This is the key. It is shown this once: the server keeps only its hash."
          secret={secret}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
