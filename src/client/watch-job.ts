import type { MillraceError } from './error.ts';
import type { Operation } from './operation.ts';
import {
  type BulkAction,
  BulkActionChanged,
  type BulkActionChangedResult,
  type Call,
  CallChanged,
  type CallChangedResult,
  type Clip,
  ClipChanged,
  type ClipChangedResult,
  JobChanged,
  type JobChangedResult,
  type JobDetails,
  type Video,
  VideoChanged,
  type VideoChangedResult,
} from './operations.gen.ts';
import type { StreamSpec, Taken } from './stream-spec.ts';

interface Node {
  readonly version: string;
  readonly progress?: { readonly updatedAt: string } | null;
}

/**
 * The course of one thing: as it is now, on every connection again, then each change. Null when it was
 * deleted, which ends it. What a new connection repeats is left out.
 */
class NodeStreamSpec<Result, Value extends Node>
  implements StreamSpec<Result, { readonly id: string }, Value | null>
{
  readonly operation: Operation<Result, { readonly id: string }>;
  readonly #id: string;
  readonly #read: (result: Result) => Value | null;
  readonly #isLast: (value: Value) => boolean;
  #last: Value | null = null;

  constructor(
    operation: Operation<Result, { readonly id: string }>,
    id: string,
    read: (result: Result) => Value | null,
    isLast: (value: Value) => boolean,
  ) {
    this.operation = operation;
    this.#id = id;
    this.#read = read;
    this.#isLast = isLast;
  }

  variables(): { readonly id: string } {
    return { id: this.#id };
  }

  take(result: Result): Taken<Value | null> {
    const value = this.#read(result);
    if (value === null) return { values: [null], isLast: true };
    const isRepeated =
      value.version === this.#last?.version && value.progress?.updatedAt === this.#last?.progress?.updatedAt;
    this.#last = value;
    return { values: isRepeated ? [] : [value], isLast: this.#isLast(value) };
  }

  /** It was there, and is no more: deleted while nobody was connected. */
  endedBy({ code }: MillraceError): Taken<null> | null {
    return code === 'NOT_FOUND' && this.#last !== null ? { values: [null] } : null;
  }
}

export function jobStreamSpec(
  id: string,
  untilFinal: boolean,
): StreamSpec<JobChangedResult, { readonly id: string }, JobDetails | null> {
  return new NodeStreamSpec(
    JobChanged,
    id,
    ({ jobChanged }: JobChangedResult) => jobChanged,
    ({ isFinal }) => untilFinal && isFinal,
  );
}

/**
 * @returns the course of a clip, to its end only where `untilFinal` is true: an expired one may be made again
 */
export function clipStreamSpec(
  id: string,
  untilFinal: boolean,
): StreamSpec<ClipChangedResult, { readonly id: string }, Clip | null> {
  return new NodeStreamSpec(
    ClipChanged,
    id,
    ({ clipChanged }: ClipChangedResult) => clipChanged,
    ({ status }) => untilFinal && (status === 'READY' || status === 'FAILED'),
  );
}

/**
 * @returns the course of a video; without repeats only as far as its row and progress say so, so its jobs'
 *   changes repeat it
 */
export function videoStreamSpec(
  id: string,
): StreamSpec<VideoChangedResult, { readonly id: string }, Video | null> {
  return new NodeStreamSpec(
    VideoChanged,
    id,
    ({ videoChanged }: VideoChangedResult) => videoChanged,
    () => false,
  );
}

/** @returns the course of a bulk action, to its end */
export function bulkActionStreamSpec(
  id: string,
): StreamSpec<BulkActionChangedResult, { readonly id: string }, BulkAction | null> {
  return new NodeStreamSpec(
    BulkActionChanged,
    id,
    ({ bulkActionChanged }: BulkActionChangedResult) => bulkActionChanged,
    ({ status }) => status !== 'RUNNING',
  );
}

/** @returns the course of a call; as of a video */
export function callStreamSpec(
  id: string,
): StreamSpec<CallChangedResult, { readonly id: string }, Call | null> {
  return new NodeStreamSpec(
    CallChanged,
    id,
    ({ callChanged }: CallChangedResult) => callChanged,
    () => false,
  );
}
