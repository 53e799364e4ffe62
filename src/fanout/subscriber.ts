import { DomainError } from '../core/errors.ts';
import type { Frame, Sink } from './frame.ts';

/** What a subscriber belongs to while it receives. */
export interface Carrier {
  leave(subscriber: Subscriber): void;
  /** A subscriber has been sent all that was kept for it. */
  caughtUp(): void;
}

/** Whose subscription it is. */
export interface SubscriberHost {
  readonly sink: Sink;
  /**
   * False when its credential has ended: nothing goes out then, even if the end has not been noticed
   * elsewhere.
   */
  mayReceive(nowMs: number): boolean;
  /** False when what it may see has changed since it joined, and with it the group that it belongs to. */
  isGroupCurrent(): boolean;
  /** Takes it to its group, to go on from its cursor. */
  rejoin(subscriber: Subscriber): void;
  /** It has ended by itself: says so to the client, and keeps nothing of it. */
  ended(why: Error | null): void;
}

/**
 * One subscription of one client. It has no queue: what its sink does not take is dropped, and once the sink
 * is empty it comes back with the cursor of the last frame taken, exactly as a client does that was
 * disconnected. Only an initial state, which no cursor leads into, is kept until it is taken; its bytes are
 * everybody's.
 */
export class Subscriber {
  readonly #host: SubscriberHost;
  readonly #maxFullMs: number;
  #cursor: string | null;
  #carrier: Carrier | null = null;
  /** What could not be sent yet and must be. */
  #kept: Frame[] | null = null;
  #fullTimer: NodeJS.Timeout | undefined;
  #isOver = false;

  /**
   * @param after where it goes on; null begins with the state
   * @param maxFullMs how long its sink may stay full before it is given up
   */
  constructor(host: SubscriberHost, after: string | null, maxFullMs: number) {
    this.#host = host;
    this.#cursor = after;
    this.#maxFullMs = maxFullMs;
  }

  /** That of the last frame sent. */
  get cursor(): string | null {
    return this.#cursor;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Something is kept for it. */
  get isHolding(): boolean {
    return this.#kept !== null;
  }

  /** Set by what carries it from now on; null: nothing does. */
  set carrier(carrier: Carrier | null) {
    this.#carrier = carrier;
  }

  /**
   * Sends what can be sent now.
   * @param nowMs ms since 1970
   * @returns how many frames went out
   */
  deliver(frames: readonly Frame[], nowMs: number): number {
    if (!this.#host.mayReceive(nowMs)) return 0;
    if (!this.#host.isGroupCurrent()) {
      this.#leave();
      this.#host.rejoin(this);
      return 0;
    }
    let sent = 0;
    for (const frame of frames) {
      if (this.#isOver) break;
      if (this.#kept === null && !this.#host.sink.isFull) sent += this.#send(frame);
      else if (frame.isKept || this.#kept?.at(-1)?.isKept === true) this.#keep(frame);
      else {
        this.#stepAside();
        break;
      }
    }
    return sent;
  }

  /** Ends it: nothing is sent any more but the reason. May be called any number of times. */
  end(why: Error | null): void {
    if (this.#isOver) return;
    this.drop();
    this.#host.ended(why);
  }

  /** The client is gone, or the sink is ended by somebody else. */
  drop(): void {
    this.#isOver = true;
    clearTimeout(this.#fullTimer);
    this.#kept = null;
    this.#leave();
  }

  #leave(): void {
    const carrier = this.#carrier;
    this.#carrier = null;
    carrier?.leave(this);
  }

  #send(frame: Frame): number {
    this.#cursor = frame.cursor;
    if (frame.text !== null) this.#host.sink.send(frame.text);
    if (frame.isLast) this.end(null);
    return frame.text === null ? 0 : 1;
  }

  #keep(frame: Frame): void {
    if (this.#kept !== null) {
      this.#kept.push(frame);
      return;
    }
    this.#kept = [frame];
    this.#awaitDrain();
  }

  /** Leaves those who keep up. */
  #stepAside(): void {
    this.#leave();
    if (this.#kept === null) this.#awaitDrain();
  }

  #awaitDrain(): void {
    const endSlow = (): void => this.end(slowConsumer(this.#maxFullMs, this.#cursor));
    this.#fullTimer ??= setTimeout(endSlow, this.#maxFullMs).unref();
    this.#host.sink.whenDrained(() => this.#drained());
  }

  #drained(): void {
    clearTimeout(this.#fullTimer);
    this.#fullTimer = undefined;
    const kept = this.#kept ?? [];
    this.#kept = null;
    if (this.#isOver) return;
    // Rendered for rights that it had: what it may see now is rendered again.
    if (kept.length > 0 && !(this.#host.mayReceive(Date.now()) && this.#host.isGroupCurrent())) {
      this.#leave();
      this.#host.rejoin(this);
      return;
    }
    for (const [index, frame] of kept.entries()) {
      if (this.#isOver) return;
      if (this.#host.sink.isFull) {
        this.#kept = kept.slice(index);
        this.#awaitDrain();
        return;
      }
      this.#send(frame);
    }
    if (this.#isOver) return;
    if (this.#carrier === null) this.#host.rejoin(this);
    else this.#carrier.caughtUp();
  }
}

function slowConsumer(maxFullMs: number, cursor: string | null): DomainError {
  return new DomainError(
    'SlowConsumer',
    `Nothing that was sent has been read for ${maxFullMs / 1_000} s; go on from the cursor`,
    { cursor, allowed: `reading at least every ${maxFullMs / 1_000} s` },
  );
}
