import type { DefinitionRow } from '../../db/prisma.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { readBack } from '../mutations/read-back.ts';
import { RoleEnum } from './enums.ts';
import { RateLimitType, rateLimitOf } from './rate-limit.ts';
import { secondsOf } from './seconds.ts';

export const JobDefinitionType = builder.objectRef<DefinitionRow>('JobDefinition');

builder.node(JobDefinitionType, {
  description: 'A kind of job: its payload’s schema, its limits and who may enqueue it.',
  id: { resolve: (definition) => definition.id, description: 'Global id.' },
  loadMany: (ids, context) => ids.map((id) => loadersOf(context).definition.load(id)),
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Its name: `transcode`.' }),
    description: t.exposeString('description', { description: 'What it does.' }),
    payloadSchema: t.expose('argSchema', { type: 'JSON', description: 'JSON Schema of the payload.' }),
    timeoutSeconds: t.exposeInt('timeoutSeconds', { description: 'A run is ended after this many seconds.' }),
    maxAttempts: t.exposeInt('maxAttempts', { description: 'Runs in all, the first included.' }),
    leaseSeconds: t.exposeInt('leaseSeconds', {
      description: 'Seconds after which a silent worker loses the job.',
    }),
    retryPolicy: t.expose('retryPolicy', { type: 'JSON', description: 'When a failed run is tried again.' }),
    maxSnoozes: t.exposeInt('maxSnoozes', {
      nullable: true,
      description: 'How often a run may put itself off; null for no bound.',
    }),
    enqueueRole: t.field({
      type: RoleEnum,
      nullable: true,
      description: 'The weakest role that may enqueue it; null: only Millrace itself.',
      resolve: ({ enqueueRole }) =>
        enqueueRole === 'system' ? null : (enqueueRole as 'member' | 'tenant_admin'),
    }),
    isActive: t.exposeBoolean('isActive', { description: 'Whether it takes new jobs.' }),
    pausedAt: t.expose('pausedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when its jobs are not claimed; null when they are.',
    }),
    isPaused: t.boolean({
      description: 'Whether an operator has paused it: its jobs wait, in every tenant.',
      resolve: ({ pausedAt }) => pausedAt !== null,
    }),
    maxRunning: t.exposeInt('maxRunning', {
      nullable: true,
      description: 'At most N of its jobs run at a time, in all tenants together; null for no limit.',
    }),
    maxRunningPerTenant: t.exposeInt('maxRunningPerTenant', {
      nullable: true,
      description: 'The same for each tenant by itself, where it has no limit of its own.',
    }),
    rateLimit: t.field({
      type: RateLimitType,
      nullable: true,
      description: 'At most N starts in a period, in all tenants together; null for no limit.',
      resolve: (row) => rateLimitOf(row.rateLimitCount, row.rateLimitPeriodSeconds),
    }),
    rateLimitPerTenant: t.field({
      type: RateLimitType,
      nullable: true,
      description: 'The same for each tenant by itself, where it has no limit of its own.',
      resolve: (row) => rateLimitOf(row.rateLimitPerTenantCount, row.rateLimitPerTenantPeriodSeconds),
    }),
    retentionSeconds: t.int({
      nullable: true,
      description: 'How long finished jobs are kept; null: as the tenant or the configuration says.',
      resolve: ({ retentionSeconds }) => secondsOf(retentionSeconds),
    }),
    declared: t.expose('declared', {
      type: 'JSON',
      nullable: true,
      description:
        'Settings as code declares them, by their names here; null when no code declares the definition.',
    }),
    override: t.expose('override', {
      type: 'JSON',
      description: 'Settings that an operator has set, which are in force whatever code declares.',
    }),
    archivedAt: t.expose('archivedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when nothing is enqueued or claimed of it; null when it is not archived.',
    }),
    snoozeDeadlineSeconds: t.exposeInt('snoozeDeadlineSeconds', {
      nullable: true,
      description: 'How long after its enqueue a job may put itself off; null for no bound.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

/**
 * The payload of a mutation that changes a definition: each has a type of its own, so that one can grow
 * without the others.
 */
export function definitionPayload(name: string) {
  return builder.objectRef<{ readonly definitionId: string }>(name).implement({
    description: 'The job definition, as it is now.',
    fields: (t) => ({
      definition: t.field({
        type: JobDefinitionType,
        nullable: true,
        description: 'The definition.',
        resolve: ({ definitionId }, _args, context) =>
          readBack(context, (loaders) => loaders.definition.load(definitionId), `Definition ${definitionId}`),
      }),
    }),
  });
}
