import { AsyncLocalStorage } from 'node:async_hooks';
import type { Run } from './run.ts';

/**
 * The run whose handler began what goes on now: its promises and timers, also those that it has left behind.
 */
export const runScope = new AsyncLocalStorage<Run>();
