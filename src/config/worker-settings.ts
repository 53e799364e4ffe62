import { DEFAULT_MAX_RESULT_BYTES } from '../core/queue.ts';
import { choice, integer } from './settings.ts';

/** What a worker process allows its jobs, and how it stops. */
export const WORKER_SETTINGS = {
  concurrency: integer('MILLRACE_CONCURRENCY', 'Jobs that one worker process runs at a time.', 10, 1, 1000),
  shutdownSeconds: integer(
    'MILLRACE_SHUTDOWN_SECONDS',
    'How long a stopping worker lets its jobs go on before it asks them to stop; 10 seconds later it hands back what still runs.',
    15,
    0,
    3600,
  ),
  onStrayError: choice(
    'MILLRACE_ON_STRAY_ERROR',
    'What a worker process does about an error that a handler leaves behind (a promise that nobody awaits, a timer); see own-jobs.md.',
    'exit',
    ['exit', 'continue'],
  ),
  maxResultBytes: integer(
    'MILLRACE_MAX_RESULT_BYTES',
    'Largest result of a job, as JSON text; a larger one fails its job as `ResultTooLarge`.',
    DEFAULT_MAX_RESULT_BYTES,
    1024,
    64 * 1024 * 1024,
  ),
  childMemoryMb: integer(
    'MILLRACE_CHILD_MEMORY_MB',
    'Memory that each program a worker starts (ffmpeg, ffprobe, tesseract) may take, in MiB of address space; 0 sets no limit. Linux with util-linux only.',
    4096,
    0,
    1_048_576,
  ),
} as const;
