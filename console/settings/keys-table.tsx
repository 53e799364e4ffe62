import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { RevokeApiKey } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Empty, Forbidden } from '../parts/notes.tsx';
import { Badge } from '../parts/status.tsx';
import { At, When } from '../parts/when.tsx';
import { NewKeyDialog } from './new-key.tsx';
import type { SettingsTenant } from './settings-tenant.ts';

type ApiKeys = NonNullable<SettingsTenant['apiKeys']>['nodes'];

export function KeysTable({ apiKeys }: { readonly apiKeys: ApiKeys | null }) {
  const client = useMillrace();
  const [shown, setShown] = useState<'new' | ApiKeys[number] | null>(null);
  const revoke = useAct(
    async (id: string) => done((await run(client, RevokeApiKey, { input: { id } })).revokeApiKey),
    {
      says: 'The key is good for nothing any more',
      onDone: () => setShown(null),
    },
  );
  if (apiKeys === null) return <Forbidden what="Keys are shown to admins of the tenant." />;
  return (
    <section className="card" aria-label="API keys">
      <header className="card-head">
        <h2>API keys</h2>
        <button type="button" className="button primary small" onClick={() => setShown('new')}>
          <KeyRound aria-hidden="true" size={14} /> New key
        </button>
      </header>
      {apiKeys.length === 0 ? (
        <Empty title="No keys yet" />
      ) : (
        <div className="table-scroll">
          <table className="table stacked">
            <thead>
              <tr>
                <th>Name</th>
                <th>Role</th>
                <th>Scopes</th>
                <th>Made</th>
                <th>Last used</th>
                <th>Ends</th>
                <th>
                  <span className="visually-hidden">Acts</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {apiKeys.map((key) => (
                <tr key={key.id}>
                  <td>
                    {key.name} {key.revokedAt !== null && <Badge tone="bad">revoked</Badge>}
                  </td>
                  <td data-title="Role">{key.role.toLowerCase().replaceAll('_', ' ')}</td>
                  <td className="small muted" data-title="Scopes">
                    {key.scopes?.join(', ').toLowerCase() ?? 'all of its role'}
                  </td>
                  <td data-title="Made">
                    <span>
                      <At at={key.createdAt} /> <span className="muted small">{key.createdBy}</span>
                    </span>
                  </td>
                  <td data-title="Last used">
                    {key.lastUsedAt === null ? (
                      <span className="muted">never</span>
                    ) : (
                      <When at={key.lastUsedAt} />
                    )}
                  </td>
                  <td data-title="Ends">{key.expiresAt === null ? 'never' : <At at={key.expiresAt} />}</td>
                  <td className="end">
                    {key.revokedAt === null && (
                      <button
                        type="button"
                        className="button small"
                        aria-label={`Revoke ${key.name}`}
                        onClick={() => setShown(key)}
                      >
                        Revoke
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown === 'new' && <NewKeyDialog onClose={() => setShown(null)} />}
      {shown !== null && shown !== 'new' && (
        <Confirm
          title={`Revoke ${shown.name}?`}
          verb="Revoke the key"
          isPending={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate(shown.id)}
          onClose={() => setShown(null)}
        >
          <p>Whatever uses it is refused from now on. This cannot be undone.</p>
        </Confirm>
      )}
    </section>
  );
}
