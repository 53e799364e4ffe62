import type { FollowersNews, FollowersOrder } from '../stage/followers.ts';
import { Followers } from '../subload/followers.ts';

// Followers in a process of their own: thousands of them want a core.

let followers: Followers | null = null;
const say = (news: FollowersNews): void => void process.send?.(news);

process.on('message', async (order: FollowersOrder) => {
  if (order.kind === 'open') {
    followers = new Followers(order.target);
    await followers.open(order.count, order.keys);
    say({ kind: 'opened' });
  } else if (order.kind === 'cut') followers?.cut(order.share);
  else if (followers !== null)
    say({ kind: 'report', report: await followers.converge(order.truth, order.waitMs) });
});
process.on('disconnect', () => process.exit());
say({ kind: 'up' });
