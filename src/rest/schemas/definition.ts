import { nullable, Type } from '../schema.ts';

const { Optional } = Type;
const ENQUEUE_ROLES = ['member', 'tenant_admin'] as const;

export const RateSchema = Type.Object(
  {
    count: Type.Integer({ description: 'At most N starts …' }),
    period_seconds: Type.Integer({ description: '… in this many seconds.' }),
  },
  { title: 'RateLimit', additionalProperties: false },
);

export const RetryPolicySchema = Type.Object(
  {
    base_seconds: Optional(Type.NullableNumber({ description: 'Before the first retry.' })),
    factor: Optional(
      Type.NullableNumber({ description: 'By which each wait is longer than the one before.' }),
    ),
    cap_seconds: Optional(Type.NullableNumber({ description: 'No wait is longer.' })),
    jitter: Optional(Type.NullableNumber({ description: '0 to 1: how much of a wait is random.' })),
  },
  { title: 'RetryPolicy', additionalProperties: false },
);

/** Settings, as they are given; null resets nothing: it stands for "no limit". */
export const DEFINITION_SETTINGS = {
  description: Optional(Type.String({ description: 'What it does.' })),
  arg_schema: Optional(Type.Json({ description: 'JSON Schema (2020-12) of the payload.' })),
  timeout_seconds: Optional(Type.Integer({ description: 'A run is ended after this time, 1 to 604800.' })),
  max_attempts: Optional(Type.Integer({ description: 'Runs in all, 1 to 1000.' })),
  lease_seconds: Optional(
    Type.Integer({ description: 'After which a silent worker loses the job, 2 to 3600.' }),
  ),
  retry_policy: Optional(RetryPolicySchema),
  max_snoozes: Optional(Type.NullableInteger({ description: 'How often a run may put itself off.' })),
  snooze_deadline_seconds: Optional(
    Type.NullableInteger({ description: 'How long after its enqueue it may.' }),
  ),
  enqueue_role: Optional(Type.Words(ENQUEUE_ROLES, { description: 'The weakest role that may enqueue it.' })),
  is_active: Optional(Type.Boolean({ description: 'Whether it takes new jobs.' })),
  max_running: Optional(Type.NullableInteger({ description: 'At most N of its jobs run at a time.' })),
  max_running_per_tenant: Optional(
    Type.NullableInteger({ description: 'The same for each tenant by itself.' }),
  ),
  rate_limit: Optional(nullable(RateSchema, { description: 'At most N starts in a period.' })),
  rate_limit_per_tenant: Optional(
    nullable(RateSchema, { description: 'The same for each tenant by itself.' }),
  ),
  retention_seconds: Optional(Type.NullableInteger({ description: 'How long finished jobs are kept.' })),
};

export const DefinitionSchema = Type.Object(
  {
    id: Type.Uuid({ description: 'Its id.' }),
    key: Type.String({ description: 'Its name: `sync-dropbox`.' }),
    description: Type.String({ description: 'What it does.' }),
    arg_schema: Type.Json({ description: 'JSON Schema (2020-12) of the payload.' }),
    timeout_seconds: Type.Integer({ description: 'A run is ended after this time.' }),
    max_attempts: Type.Integer({ description: 'Runs in all, the first included.' }),
    lease_seconds: Type.Integer({ description: 'After which a silent worker loses the job.' }),
    retry_policy: Type.Json({ description: 'When a failed run is tried again.' }),
    max_snoozes: Type.NullableInteger({
      description: 'How often a run may put itself off; null for no bound.',
    }),
    snooze_deadline_seconds: Type.NullableInteger({ description: 'How long after its enqueue it may.' }),
    enqueue_role: Type.Words([...ENQUEUE_ROLES, 'system'], {
      description: 'The weakest role that may enqueue it.',
    }),
    is_active: Type.Boolean({ description: 'Whether it takes new jobs.' }),
    is_paused: Type.Boolean({ description: 'Whether an operator has paused it.' }),
    is_archived: Type.Boolean({ description: 'Whether nothing is enqueued or claimed of it any more.' }),
    max_running: Type.NullableInteger({
      description: 'At most N of its jobs run at a time; null for no limit.',
    }),
    max_running_per_tenant: Type.NullableInteger({ description: 'The same for each tenant by itself.' }),
    rate_limit: nullable(RateSchema, { description: 'At most N starts in a period; null for no limit.' }),
    rate_limit_per_tenant: nullable(RateSchema, { description: 'The same for each tenant by itself.' }),
    retention_seconds: Type.NullableInteger({ description: 'How long finished jobs are kept.' }),
    created_at: Type.Time({ description: 'When it was made.' }),
    updated_at: Type.Time({ description: 'When it was last changed.' }),
  },
  { title: 'JobDefinition', description: 'A kind of job.', additionalProperties: false },
);
