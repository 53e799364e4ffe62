import { UserPlus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { RemoveMember, SetMember } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { ActsTable } from '../parts/acts-table.tsx';
import { AskButton } from '../parts/ask-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { Empty, ErrorNote, Forbidden } from '../parts/notes.tsx';
import { At } from '../parts/when.tsx';
import type { SettingsTenant } from './settings-tenant.ts';

type Members = NonNullable<SettingsTenant['members']>['nodes'];
type MemberRole = 'MEMBER' | 'TENANT_ADMIN';

/** Who belongs to the tenant, with the most that they may do. */
export function MembersTable({ members }: { readonly members: Members | null }) {
  const client = useMillrace();
  const [isAdding, setAdding] = useState(false);
  const set = useAct(
    async (input: { readonly subject: string; readonly role: MemberRole }) =>
      done((await run(client, SetMember, { input })).setMember),
    { says: 'The list is changed' },
  );
  if (members === null) return <Forbidden what="Members are shown to admins of the tenant." />;
  return (
    <section className="card" aria-label="Members">
      <header className="card-head">
        <h2>Members</h2>
        <button type="button" className="button primary small" onClick={() => setAdding(true)}>
          <UserPlus aria-hidden="true" size={14} /> Add a member
        </button>
      </header>
      {set.error !== null && <ErrorNote error={set.error} />}
      {members.length === 0 ? (
        <Empty title="No members on record">
          <p>Roles then come from the tokens alone. With the first member the list decides.</p>
        </Empty>
      ) : (
        <ActsTable columns={['Member', 'Role', 'Since']}>
          {members.map((member) => (
            <tr key={member.id}>
              <td>{member.subject}</td>
              <td data-title="Role">
                <RoleSelect
                  label={`Role of ${member.subject}`}
                  value={member.role as MemberRole}
                  onChange={(role) => set.mutate({ subject: member.subject, role })}
                />
              </td>
              <td data-title="Since">
                <At at={member.createdAt} />
              </td>
              <td className="end">
                <AskButton
                  label={`Remove ${member.subject}`}
                  className="button small"
                  face="Remove"
                  title={`Remove ${member.subject}?`}
                  verb="Remove the member"
                  act={async () => {
                    const input = { subject: member.subject };
                    return done((await run(client, RemoveMember, { input })).removeMember);
                  }}
                  says="The member is removed"
                >
                  <p>Tokens of theirs are refused from now on, and their open streams end.</p>
                </AskButton>
              </td>
            </tr>
          ))}
        </ActsTable>
      )}
      {isAdding && <NewMemberDialog onClose={() => setAdding(false)} />}
    </section>
  );
}

function RoleSelect({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: MemberRole;
  readonly onChange: (role: MemberRole) => void;
}) {
  return (
    <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value as MemberRole)}>
      <option value="MEMBER">member</option>
      <option value="TENANT_ADMIN">tenant admin</option>
    </select>
  );
}

function NewMemberDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useMillrace();
  const [subject, setSubject] = useState('');
  const [role, setRole] = useState<MemberRole>('MEMBER');
  const add = useAct(
    async () => done((await run(client, SetMember, { input: { subject, role } })).setMember),
    { says: 'The member is added', onDone: onClose },
  );
  const send = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate(undefined);
  };
  return (
    <Dialog title="Add a member" onClose={onClose}>
      <form className="fields" onSubmit={send}>
        <label className="field">
          Subject (the `sub` of their tokens)
          <input
            required
            maxLength={255}
            value={subject}
            onChange={({ target }) => setSubject(target.value)}
          />
        </label>
        <RoleSelect label="Role" value={role} onChange={setRole} />
        <FormFoot error={add.error} isPending={add.isPending} verb="Add" onClose={onClose} />
      </form>
    </Dialog>
  );
}
