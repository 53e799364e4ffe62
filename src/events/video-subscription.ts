import type { Change } from './change.ts';
import type { Home, Member } from './member.ts';
import { Wake } from './wake.ts';

/** That a video, a job about it or that job's progress changed: look at it again. */
export interface VideoEvent {
  readonly kind: 'video';
  readonly tenantId: string;
  readonly videoId: string;
}

/**
 * One video's stream: an event at once, then one after every change, merged while the consumer is busy. It has no cursor,
 * since each event stands for the whole state.
 */
export class VideoSubscription implements AsyncIterableIterator<VideoEvent, undefined>, Member {
  readonly tenantId: string;
  readonly #videoId: string;
  readonly #home: Home;
  readonly #wake = new Wake();
  #phase: 'new' | 'live' | 'ended' = 'new';
  #turn: Promise<unknown> = Promise.resolve();

  constructor(home: Home, tenantId: string, videoId: string) {
    this.#home = home;
    this.tenantId = tenantId;
    this.#videoId = videoId;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<VideoEvent, undefined>> {
    const turn = this.#turn.then(() => this.#next());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  return(): Promise<IteratorResult<VideoEvent, undefined>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  end(): void {
    this.#phase = 'ended';
    this.#home.leave(this);
    this.#wake.ring();
  }

  async #next(): Promise<IteratorResult<VideoEvent, undefined>> {
    if (this.#phase === 'new') {
      this.#phase = 'live';
      this.#home.join(this);
      // The event says "look now", and looking after being attached misses nothing.
      void this.#home.attach(this).then(() => this.#wake.ring());
    }
    if (this.#phase === 'live') await this.#wake.wait();
    if (this.#isEnded()) return { done: true, value: undefined };
    return { done: false, value: { kind: 'video', tenantId: this.tenantId, videoId: this.#videoId } };
  }

  accept(change: Change): boolean {
    const isAbout =
      change.kind === 'video'
        ? change.videoId === this.#videoId
        : change.subject?.type === 'video' && change.subject.id === this.#videoId;
    if (isAbout) this.#wake.ring();
    return false;
  }

  rangeEnded(): void {}

  restarted(): void {
    this.#wake.ring();
  }

  lost(): void {
    this.#wake.ring();
  }

  refresh(): void {}

  /** A method, since the compiler would not believe that the phase can change during a wait. */
  #isEnded(): boolean {
    return this.#phase === 'ended';
  }
}
