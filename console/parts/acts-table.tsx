import type { ReactNode } from 'react';

/** A table whose rows end with what can be done to them; on a phone each row is a card. */
export function ActsTable({
  columns,
  children,
}: {
  /** Their titles; that of the acts is read out alone. */
  readonly columns: readonly string[];
  /** Rows, each with a cell of its acts at its end. */
  readonly children: ReactNode;
}) {
  return (
    <div className="table-scroll">
      <table className="table stacked">
        <thead>
          <tr>
            {columns.map((title) => (
              <th key={title}>{title}</th>
            ))}
            <th>
              <span className="visually-hidden">Acts</span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
