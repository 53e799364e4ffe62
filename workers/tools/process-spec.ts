import type { Readable } from 'node:stream';

/** What to run. The arguments reach the program as they are: there is no shell anywhere. */
export interface ProcessSpec {
  /** Absolute path of the program. */
  readonly file: string;
  readonly args: readonly string[];
  /** The directory it runs in; a job's own. */
  readonly cwd: string;
  /**
   * Its whole environment, beside LANG, HOME, TMPDIR and the mark by which what it starts is found. Ours,
   * with its secrets, is not passed on.
   */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Ends it after this long. Default: no limit. */
  readonly timeoutMs?: number;
  /**
   * Ends it when nothing has moved for this long; what counts is any output, or, with a line callback, its
   * `progressed()`.
   */
  readonly stallTimeoutMs?: number;
  /** Between SIGTERM and SIGKILL. Default 3,000. */
  readonly killGraceMs?: number;
  /** How much of stdout and of stderr is kept, head and tail. Default 64 KiB each. */
  readonly maxOutputBytes?: number;
  /**
   * Called per line. A line callback that throws ends the process, and `runProcess` rejects with its error.
   */
  readonly onStdoutLine?: LineCallback;
  readonly onStderrLine?: LineCallback;
  /** Called with each piece of the output as it comes. */
  readonly onStdout?: (chunk: Buffer) => void;
  readonly onStderr?: (chunk: Buffer) => void;
  /** Called once it runs. */
  readonly onStarted?: (pid: number) => void;
  /** Run as this user and group, which takes a process that is root. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Address space that it may take; null for no limit. By default what `limitChildMemory` has set. */
  readonly memoryLimitBytes?: number | null;
  /**
   * Also what has left its group and session gets SIGTERM, and all have the grace, though the program itself
   * ends earlier. By default what it leaves behind is killed with its end.
   */
  readonly endsTree?: boolean;
  /** Binary output beside stdout and stderr, on file descriptors from 3 on. */
  readonly pipes?: PipeReader;
}

/** Reads what a program writes to further file descriptors. */
export interface PipeReader {
  readonly count: number;
  /** How long they are read after the program's end; without limit by default. */
  readonly drainMs?: number;
  /**
   * Called once the program runs, with its pipes in the order of their descriptors. Must read all of them at
   * once and to their ends, as fast as it can take it: what it leaves unread makes the program wait. The
   * result is there when this has settled too; an error of its ends the program, and `runProcess` rejects
   * with it. When the program is ended by us, the pipes are destroyed, and what it throws then is ignored.
   * @param progressed notifies the stall watchdog that work moved; nothing else does, with pipes
   */
  readonly read: (pipes: readonly Readable[], progressed: () => void) => Promise<void>;
}

/** @param progressed notifies the stall watchdog that work moved */
export type LineCallback = (line: string, progressed: () => void) => void;

/** How it ended. The last three are ours: it may have ended by itself at the same moment. */
export type ProcessEnd =
  | { readonly how: 'exited'; readonly exitCode: number }
  | { readonly how: 'signaled'; readonly signal: NodeJS.Signals }
  | { readonly how: 'notStarted'; readonly error: Error }
  | { readonly how: 'aborted' }
  | { readonly how: 'timedOut'; readonly timeoutMs: number }
  | { readonly how: 'stalled'; readonly stallTimeoutMs: number };

export interface ProcessResult {
  readonly end: ProcessEnd;
  /** How the program itself ended, also where we have ended it. */
  readonly processEnd: ProcessEnd;
  readonly durationMs: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes dropped from the middle of stdout; not 0 means the text is not whole. */
  readonly stdoutOmittedBytes: number;
  /** Address space that it was allowed; null where nothing limited it. */
  readonly memoryLimitBytes: number | null;
}
