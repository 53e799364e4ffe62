import { setTimeout as sleep } from 'node:timers/promises';
import { PermanentError } from '../../../src/core/errors.ts';
import type { HostStore } from '../../../src/domains/links/stores/contract.ts';
import type { Outgoing, OutgoingAnswer, OutgoingRequest } from '../../../src/outgoing/outgoing.ts';
import { OutgoingError } from '../../../src/outgoing/outgoing-error.ts';
import type { ScrapeSettings } from './own.ts';
import { parseRobots, type RobotRules } from './robots.ts';

/** A host's turn is too far away to wait for: the job comes back then. */
export class HostBusy extends Error {
  readonly waitSeconds: number;

  constructor(host: string, waitSeconds: number) {
    super(`${host} is asked by others until then`);
    this.name = 'HostBusy';
    this.waitSeconds = waitSeconds;
  }
}

/** What one run waits at most for its turn at a host. */
const MAX_WAIT_MS = 3_000;
const MAX_ROBOTS_BYTES = 500 * 1024;

/** Requests that take their turn at each host, and do what its robots.txt asks. */
export class PoliteClient {
  readonly #outgoing: Outgoing;
  readonly #hosts: HostStore;
  readonly #settings: ScrapeSettings;
  readonly #signal: AbortSignal;

  constructor(outgoing: Outgoing, hosts: HostStore, settings: ScrapeSettings, signal: AbortSignal) {
    this.#outgoing = outgoing;
    this.#hosts = hosts;
    this.#settings = settings;
    this.#signal = signal;
  }

  /**
   * GETs a page or a file, each hop of it in turn.
   * @throws HostBusy · PermanentError `RobotsDisallowed` · OutgoingError
   */
  get(url: string, request: Omit<OutgoingRequest, 'signal' | 'beforeHop'>): Promise<OutgoingAnswer> {
    return this.#outgoing.send(url, {
      ...request,
      signal: this.#signal,
      beforeHop: (hop) => this.#beforeHop(hop),
    });
  }

  async #beforeHop(url: URL): Promise<void> {
    const rules = this.#settings.robots ? await this.#rulesOf(url) : null;
    if (rules !== null && !rules.allows(url.pathname + url.search))
      throw new PermanentError('RobotsDisallowed', `The robots.txt of ${url.host} does not allow this page`);
    await this.#turn(url, Math.max(this.#settings.hostDelayMs, 1_000 * (rules?.delaySeconds ?? 0)));
  }

  async #turn({ origin, host }: URL, everyMs: number): Promise<void> {
    if (everyMs === 0) return;
    const { isTaken, waitMs } = await this.#hosts.takeTurn(origin, everyMs, MAX_WAIT_MS);
    if (!isTaken) throw new HostBusy(host, waitMs / 1_000);
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: this.#signal });
  }

  async #rulesOf(url: URL): Promise<RobotRules | null> {
    let text = await this.#hosts.findRobots(url.origin);
    if (text === undefined) {
      text = await this.#readRobots(url);
      await this.#hosts.saveRobots(url.origin, text);
    }
    return text === null ? null : parseRobots(text, this.#settings.robotName);
  }

  /** RFC 9309: 4xx means that there is none; while the server fails, nothing may be assumed. */
  async #readRobots(url: URL): Promise<string | null> {
    await this.#turn(url, this.#settings.hostDelayMs);
    const answer = await this.#outgoing.send(`${url.origin}/robots.txt`, {
      maxBytes: MAX_ROBOTS_BYTES,
      truncate: true,
      signal: this.#signal,
    });
    if (answer.status >= 500)
      throw new OutgoingError('ConnectionFailed', `The robots.txt of ${url.host} answers ${answer.status}`);
    if (answer.status >= 300) return null;
    return Buffer.from(answer.body).toString('utf8').replaceAll('\u0000', '');
  }
}
