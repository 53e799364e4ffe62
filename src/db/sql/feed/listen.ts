import { type Statement, statement } from '../../statement.ts';

/**
 * Listens on channels, all in one round trip (LISTEN takes no parameters). The names are ours, never a
 * caller's text.
 * Locks: none that lasts. Index: none.
 * @throws TypeError for a name that is not a plain identifier
 */
export function listen(channels: readonly string[]): Statement {
  for (const channel of channels) {
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(channel))
      throw new TypeError(`Not a channel name: ${JSON.stringify(channel)}`);
  }
  return statement('listen', channels.map((channel) => `listen "${channel}"`).join('; '));
}
