import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { WATCH_CHANNEL } from '../../src/db/channels.ts';

/** Waits for what others do in a stage's database. */
export interface ChangeWatch extends AsyncDisposable {
  /** Looks at each change until the look says that it is over. */
  until(isOver: () => Promise<boolean>): Promise<void>;
}

/** A notification may be lost: look by itself this often. */
const LOOK_MS = 250;

/** Listens for changes, so that no end is seen late. */
export async function watchChanges(databaseUrl: string): Promise<ChangeWatch> {
  const listener = new pg.Client({ connectionString: databaseUrl, application_name: 'bench listener' });
  await listener.connect();
  let heard = Promise.withResolvers<void>();
  listener.on('notification', () => {
    heard.resolve();
    heard = Promise.withResolvers();
  });
  await listener.query(`listen ${WATCH_CHANNEL}`);
  return {
    until: async (isOver) => {
      for (;;) {
        // Before the look: what is notified during it is for the next.
        const heardPromise = heard.promise;
        if (await isOver()) return;
        await Promise.race([heardPromise, delay(LOOK_MS)]);
      }
    },
    [Symbol.asyncDispose]: () => listener.end(),
  };
}
