/**
 * What the package `millrace` offers to programs: declare jobs, run them in a worker, enqueue them from
 * anywhere. Whatever is exported here stays compatible within a major version.
 */
export { Type } from 'typebox';
export type {
  ArtifactLookup,
  Handler,
  HandlerContext,
  JobLog,
  MediaTools,
  ProgressUpdate,
  Registration,
  Tools,
} from '../../workers/handler.ts';
export type { Provide, ProvidedRun, WorkerParts } from '../../workers/provide.ts';
export { media } from '../../workers/provide.ts';
export { job, register } from '../../workers/registry.ts';
export type { JobDefinition, JobDefinitionInput, PayloadOf, RateLimit } from '../core/definition.ts';
export { defineJob } from '../core/definition.ts';
export type { DomainErrorCode, DomainErrorDetails } from '../core/errors.ts';
export { DomainError, PermanentError, RetryAfter } from '../core/errors.ts';
export type { Job, JobError, JobSource, JobStatus, Subject } from '../core/job.ts';
export type { NextJobInput } from '../core/next-jobs.ts';
export type { ArtifactRecord, DoneOptions, Outcome } from '../core/outcome.ts';
export { canceled, done, skipped, snoozed } from '../core/outcome.ts';
export type {
  CancelResult,
  Dependency,
  DependencyPolicy,
  EnqueueResult,
  RetryResult,
} from '../core/queue.ts';
export type { RetryPolicy } from '../core/retry.ts';
export type { ObjectStore } from '../storage/object-store.ts';
export { createClient } from './client.ts';
export type {
  Client,
  ClientJob,
  EnqueueItem,
  EnqueueOptions,
  WaitOptions,
} from './client-contract.ts';
export type { ClientOptions, ConnectionOptions, WorkerOptions } from './options.ts';
export type { Worker } from './worker.ts';
export { createWorker } from './worker.ts';
