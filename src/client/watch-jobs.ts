import type { Operation } from './operation.ts';
import {
  JobChanges,
  type JobChangesFilter,
  type JobChangesResult,
  type JobChangesVariables,
} from './operations.gen.ts';
import type { StreamSpec, Taken } from './stream-spec.ts';

type ServerEvent = JobChangesResult['jobChanges'];
type ServerResync = Extract<ServerEvent, { readonly __typename: 'ResyncRequired' }>;

/** What a watch of jobs gives, as the schema has it; a `ResyncRequired` may also have a reason of the client's own. */
export type JobEvent =
  | Exclude<ServerEvent, ServerResync>
  | (Omit<ServerResync, 'reason'> & { readonly reason: ServerResync['reason'] | 'INTERRUPTED' });

/**
 * The course of `jobChanges`. Cursors count from `FeedReady` on. An initial state that broke off begins anew, and since a job of its first
 * part may be gone by then, the reader has to forget that part: a `ResyncRequired` with the reason `INTERRUPTED`, of the client's own.
 */
export class JobChangesStreamSpec implements StreamSpec<JobChangesResult, JobChangesVariables, JobEvent> {
  readonly operation: Operation<JobChangesResult, JobChangesVariables> = JobChanges;
  readonly #filter: JobChangesFilter | null;
  #after: string | null;
  #isInitial: boolean;
  #hasShown = false;
  #owesResync = false;

  constructor(filter: JobChangesFilter | null, after: string | null) {
    this.#filter = filter;
    this.#after = after;
    this.#isInitial = after === null;
  }

  get cursor(): string | null {
    return this.#after;
  }

  variables(): JobChangesVariables {
    this.#owesResync = this.#isInitial && this.#hasShown;
    return { filter: this.#filter, after: this.#after };
  }

  take({ jobChanges: event }: JobChangesResult): Taken<JobEvent> {
    const values: JobEvent[] = [];
    if (this.#owesResync) values.push({ __typename: 'ResyncRequired', reason: 'INTERRUPTED' });
    this.#owesResync = false;
    values.push(event);
    this.#move(event);
    return { values };
  }

  goOnFrom(cursor: string): void {
    if (!this.#isInitial) this.#after = cursor;
  }

  #move(event: JobEvent): void {
    if (event.__typename === 'ResyncRequired') {
      this.#after = null;
      this.#isInitial = true;
      this.#hasShown = false;
      return;
    }
    if (event.__typename === 'FeedReady') this.#isInitial = false;
    if (this.#isInitial) this.#hasShown = true;
    else this.#after = event.cursor;
  }
}
