import { Empty, Forbidden } from '../parts/notes.tsx';
import { At } from '../parts/when.tsx';
import type { SettingsTenant } from './tenant-card.tsx';

type Members = NonNullable<SettingsTenant['members']>['nodes'];

export function MembersTable({ members }: { readonly members: Members | null }) {
  if (members === null) return <Forbidden what="Members are shown to admins of the tenant." />;
  if (members.length === 0)
    return (
      <Empty title="No members on record">
        <p>Roles then come from the tokens alone.</p>
      </Empty>
    );
  return (
    <div className="card table-scroll">
      <table className="table">
        <thead>
          <tr>
            <th>Member</th>
            <th>Role</th>
            <th>Since</th>
          </tr>
        </thead>
        <tbody>
          {members.map(({ id, subject, role, createdAt }) => (
            <tr key={id}>
              <td>{subject}</td>
              <td>{role.toLowerCase().replaceAll('_', ' ')}</td>
              <td>
                <At at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
