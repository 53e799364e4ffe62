import type { CrowdNews, CrowdOrder } from '../stage/crowd.ts';
import { Crowd } from '../subload/crowd.ts';

// Subscribers in a process of their own, so that their work is not counted as the server's.

let crowd = new Crowd();
const say = (news: CrowdNews): void => void process.send?.(news);

process.on('message', async (order: CrowdOrder) => {
  if (order.kind === 'open') {
    crowd = new Crowd();
    const tookMs = await crowd.open(order.target, order.count, order.atOnce);
    say({ kind: 'opened', tookMs, odd: [...crowd.odd] });
  } else if (order.kind === 'close') {
    const odd = [...crowd.odd];
    crowd.close();
    say({ kind: 'closed', odd });
  } else {
    const arrivals =
      order.kind === 'subscribe'
        ? crowd.subscribe(order.query, order.variables, order, order.until)
        : crowd.expect(order.marker, order.count);
    say({ kind: 'armed' });
    say({ kind: 'arrived', ...(await arrivals), odd: [...crowd.odd] });
  }
});
process.on('disconnect', () => process.exit());
say({ kind: 'up' });
