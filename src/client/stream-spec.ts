import type { MillraceError } from './error.ts';
import type { Operation } from './operation.ts';

/** What a result comes to: values for the reader, and whether the stream has reached its end with them. */
export interface Taken<Value> {
  readonly values: readonly Value[];
  readonly isLast?: boolean;
}

/** What one kind of stream knows, so that it can be gone on with on another connection. */
export interface StreamSpec<Result, Variables extends object, Value> {
  readonly operation: Operation<Result, Variables>;
  /** Asked once for each connection. */
  variables(): Variables;
  take(result: Result): Taken<Value>;
  /** Where the stream can be gone on with; null while nowhere. */
  readonly cursor?: string | null;
  /** The server has dropped what this reader did not take in time. */
  goOnFrom?(cursor: string): void;
  /** What a lasting error means at this point, where that is no failure. */
  endedBy?(error: MillraceError): Taken<Value> | null;
}
