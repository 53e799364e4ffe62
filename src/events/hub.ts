import { createOutageLog, type OutageLog } from '../db/outage-log.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Change } from './change.ts';
import { Gate } from './gate.ts';
import type { Home, Member } from './member.ts';
import { MemberIndex } from './member-index.ts';
import type { Position } from './position.ts';
import type { ResyncReason } from './resume.ts';
import type { StateReader } from './state-reader.ts';
import type { Tailer, TailSink } from './tailer.ts';

/** Reads for single subscribers that run at a time; they share the pool with everything else. */
const READS_AT_A_TIME = 4;

/** Hands the tail to the subscriptions of each tenant. Knows no transport. */
export class Hub implements TailSink, Home {
  readonly states: StateReader;
  readonly reads = new Gate(READS_AT_A_TIME);
  readonly #tailer: () => Tailer;
  readonly #outages: OutageLog;
  readonly #members = new Set<Member>();
  readonly #attached = new MemberIndex();
  /** Members that kept a change of the range being handed out. */
  readonly #touched = new Set<Member>();
  #isClosed = false;

  constructor(options: { states: StateReader; log: Logger; tailer: () => Tailer }) {
    this.states = options.states;
    this.#tailer = options.tailer;
    this.#outages = createOutageLog(options.log, 'feed state');
  }

  /** Subscriptions under way. */
  get memberCount(): number {
    return this.#members.size;
  }

  get position(): Position {
    const { position } = this.#tailer();
    if (position === null) throw new TypeError('The feed has no position while nobody watches');
    return position;
  }

  get heardAtMs(): number {
    return this.#tailer().heardAtMs;
  }

  join(member: Member): void {
    if (this.#isClosed) {
      member.end();
      return;
    }
    this.#members.add(member);
    this.#tailer().want(true);
  }

  leave(member: Member): void {
    this.detach(member);
    this.#members.delete(member);
    if (this.#members.size === 0) this.#tailer().want(false);
  }

  async attach(member: Member): Promise<void> {
    await this.#tailer().positioned();
    if (this.#members.has(member)) this.#attached.add(member);
  }

  detach(member: Member): void {
    this.#touched.delete(member);
    this.#attached.delete(member);
  }

  readFailed(error: Error): void {
    this.#outages.failed(error);
  }

  readSucceeded(): void {
    this.#outages.recovered();
  }

  changed(changes: readonly Change[], before: Position): void {
    for (const change of changes) {
      this.#attached.tell(change, (member) => {
        if (member.accept(change, before)) this.#touched.add(member);
      });
    }
  }

  reached(): void {
    for (const member of this.#touched) member.rangeEnded();
    this.#touched.clear();
  }

  restarted(): void {
    this.#touched.clear();
    for (const member of this.#attached.all()) member.restarted();
  }

  lost(reason: ResyncReason): void {
    this.#touched.clear();
    for (const member of this.#attached.all()) member.lost(reason);
  }

  /** Lets idle subscriptions send a later cursor. */
  refresh(olderThanMs: number): void {
    for (const member of this.#members) member.refresh(olderThanMs);
  }

  /** Ends every subscription, and at once each that begins later. */
  close(): void {
    this.#isClosed = true;
    for (const member of [...this.#members]) member.end();
  }
}
