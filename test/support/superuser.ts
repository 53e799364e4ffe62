import pg from 'pg';
import { wireTypes } from '../../src/db/wire-types.ts';

/**
 * A superuser's client of a test. Tests may ask it several things at once: it sends one after the other,
 * where pg would warn of a second query that is sent while the first is under way.
 */
export async function connectSuperuser(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, types: wireTypes });
  await client.connect();
  const send = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (...given: unknown[]): Promise<unknown> => {
    const answer = turn.then(() => send(...given));
    turn = answer.catch(() => undefined);
    return answer;
  };
  return Object.assign(client, { query: inTurn as typeof client.query });
}
