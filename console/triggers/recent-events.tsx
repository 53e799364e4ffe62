import { Events } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';

/**
 * Takes the data of one of the last events of the name, to try a trigger against. Shows nothing where there
 * are none.
 */
export function RecentEvents({
  name,
  onChoose,
}: {
  readonly name: string;
  readonly onChoose: (data: string) => void;
}) {
  const { data } = useOperation(Events, { filter: { name } }, { isOn: name !== '' });
  const events = data?.events?.nodes.slice(0, 10) ?? [];
  if (name === '' || events.length === 0) return null;
  return (
    <label className="field">
      Recent events
      <select
        value=""
        onChange={({ target }) => {
          const event = events.find(({ id }) => id === target.value);
          if (event !== undefined) onChoose(JSON.stringify(event.data, null, 2));
        }}
      >
        <option value="">Take the data of one</option>
        {events.map(({ id, createdAt, createdBy }) => (
          <option key={id} value={id}>
            {createdAt.slice(0, 19).replace('T', ' ')} UTC, by {createdBy ?? '–'}
          </option>
        ))}
      </select>
    </label>
  );
}
