// Entry point of a forked worker process: runs one peer's worker and counts.
import { readFileSync } from 'node:fs';
import { loadPeer } from './registry.mjs';
import { nowNs } from './util.mjs';

const Cls = await loadPeer(process.argv[2]);
let count = 0;
let first = null;
let last = null;
let lat = [];
let sent = -1;
let worker = null;

function onJob(payload) {
  const t = nowNs();
  if (first === null) first = t;
  last = t;
  count++;
  if (payload && payload.t) lat.push((t - payload.t) / 1e6);
}

// VmHWM: the kernel's own peak of this process' resident memory, in kB.
const peakRssMb = () =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024;

const tick = setInterval(() => {
  if (count !== sent) {
    sent = count;
    process.send({ type: 'tick', data: { count, stamped: lat.length, first, last } });
  }
}, 5);

process.on('disconnect', () => process.exit(1));
process.on('message', async (m) => {
  try {
    if (m.type === 'start') {
      const peer = new Cls(m.ctx);
      worker = await peer.runWorker({ concurrency: m.concurrency, onJob });
      process.send({ type: 'listening' });
    } else if (m.type === 'reset') {
      count = 0;
      first = last = null;
      lat = [];
      sent = -1;
    } else if (m.type === 'stop') {
      clearInterval(tick);
      const data = { count, lat, peakRssMb: peakRssMb(), cpu: process.cpuUsage() };
      process.send({ type: 'result', data }, async () => {
        await Promise.race([worker?.stop?.(), new Promise((r) => setTimeout(r, 5000))]).catch(() => {});
        process.exit(0);
      });
    }
  } catch (e) {
    process.send({ type: 'error', data: e.stack ?? String(e) });
  }
});
process.send({ type: 'ready' });
