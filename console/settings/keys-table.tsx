import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { RevokeApiKey } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { ActsTable } from '../parts/acts-table.tsx';
import { AskButton } from '../parts/ask-button.tsx';
import { Empty, Forbidden } from '../parts/notes.tsx';
import { Badge } from '../parts/status.tsx';
import { At, When } from '../parts/when.tsx';
import { NewKeyDialog } from './new-key.tsx';
import type { SettingsTenant } from './settings-tenant.ts';

type ApiKeys = NonNullable<SettingsTenant['apiKeys']>['nodes'];

export function KeysTable({ apiKeys }: { readonly apiKeys: ApiKeys | null }) {
  const client = useMillrace();
  const [isMaking, setMaking] = useState(false);
  if (apiKeys === null) return <Forbidden what="Keys are shown to admins of the tenant." />;
  return (
    <section className="card" aria-label="API keys">
      <header className="card-head">
        <h2>API keys</h2>
        <button type="button" className="button primary small" onClick={() => setMaking(true)}>
          <KeyRound aria-hidden="true" size={14} /> New key
        </button>
      </header>
      {apiKeys.length === 0 ? (
        <Empty title="No keys yet">
          <p>
            A key lets a program call the API as a member of this tenant, with the scopes that you choose. Its
            secret is shown once. From a shell:
          </p>
          <pre className="code">
            npx millrace token create --tenant acme --role member --api-key --name shop
          </pre>
        </Empty>
      ) : (
        <ActsTable columns={['Name', 'Role', 'Scopes', 'Made', 'Last used', 'Ends']}>
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
                  <AskButton
                    label={`Revoke ${key.name}`}
                    className="button small"
                    face="Revoke"
                    title={`Revoke ${key.name}?`}
                    verb="Revoke the key"
                    act={async () => {
                      const input = { id: key.id };
                      return done((await run(client, RevokeApiKey, { input })).revokeApiKey);
                    }}
                    says="The key is good for nothing any more"
                  >
                    <p>Whatever uses it is refused from now on. This cannot be undone.</p>
                  </AskButton>
                )}
              </td>
            </tr>
          ))}
        </ActsTable>
      )}
      {isMaking && <NewKeyDialog onClose={() => setMaking(false)} />}
    </section>
  );
}
