import { expect, it } from 'vitest';
import { MissedNotificationMonitor } from '../../src/events/missed-notification-monitor.ts';
import { waitFor } from '../support/wait.ts';

function watched({ isListening = (): boolean => true } = {}) {
  let missedCount = 0;
  const watch = new MissedNotificationMonitor({ isListening, graceMs: 20, missed: () => missedCount++ });
  // The first look of a process comes after a connect, which counts as a notification.
  watch.lookBegins();
  return { watch, missedCount: () => missedCount };
}

/** Longer than the grace. */
const later = () => new Promise((resolve) => setTimeout(resolve, 60));

it('a change that nothing announced, before or soon after, is a missed notification', async () => {
  const { watch, missedCount } = watched();
  watch.lookBegins();
  watch.found();
  await waitFor(() => missedCount() === 1, { describe: 'the missed notification' });
});

it('a notification before the look, during it, or within the grace after it announces the change', async () => {
  const { watch, missedCount } = watched();
  watch.notified();
  watch.lookBegins();
  watch.found();
  watch.lookBegins();
  watch.notified();
  watch.found();
  watch.lookBegins();
  watch.lookBegins();
  watch.found();
  watch.notified();
  await later();
  expect(missedCount()).toBe(0);
});

it('without LISTEN no notification is expected, and what is read a second time was announced before', async () => {
  const deaf = watched({ isListening: () => false });
  deaf.watch.lookBegins();
  deaf.watch.found();
  const again = watched();
  again.watch.lookBegins();
  again.watch.startAfresh();
  again.watch.lookBegins();
  again.watch.found();
  await later();
  expect([deaf.missedCount(), again.missedCount()]).toEqual([0, 0]);
});

it('many changes at once are one missed notification', async () => {
  const { watch, missedCount } = watched();
  for (let look = 0; look < 5; look++) {
    watch.lookBegins();
    watch.found();
  }
  await later();
  expect(missedCount()).toBe(1);
});
