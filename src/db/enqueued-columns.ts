import type { EnqueueInput } from '../core/queue.ts';
import type { Job } from '../generated/prisma/client.ts';
import type { ColumnName } from './columns.ts';

/** A value that a job may have at its enqueue, and the columns of `jobs` that it is stored in. */
export interface EnqueuedColumn {
  /** Where it is in the `EnqueueInput`; `replayOf` comes from Millrace itself. */
  readonly field: keyof EnqueueInput | 'subject.type' | 'subject.id' | 'replayOf';
  /** The column. */
  readonly name: ColumnName<Job>;
  readonly type: 'integer' | 'text' | 'timestamptz' | 'uuid' | 'text[]' | 'jsonb';
  /** The value to store; as given by default. */
  readonly stored?: (given: string, alias: StoredAliases) => string;
  /** Stored from the same value, in a column of its own. */
  readonly beside?: {
    readonly name: ColumnName<Job>;
    readonly stored: NonNullable<EnqueuedColumn['stored']>;
  };
  /**
   * What is allowed where there is a value: a whole number, or the length of a text from 1 on. Other checks
   * stand in `checkInput`.
   */
  readonly allowed?: { readonly min: number; readonly max: number } | { readonly maxLength: number };
}

/** How a statement calls the rows that a stored value may depend on. */
export interface StoredAliases {
  /** Has `now`. */
  readonly clock: string;
  /** Has the definition's `max_attempts`. */
  readonly definition: string;
}

/**
 * Everything that a job may have at its enqueue beside what each has (tenant, definition, caller, payload)
 * and what only some statements take (dedupe key, parents). The statements that insert jobs, their parameters
 * and their values are made from it, and so is what `checkInput` allows and which options producers may give.
 */
export const ENQUEUED_COLUMNS = [
  {
    field: 'priority',
    name: 'priority',
    type: 'integer',
    stored: (given) => `coalesce(${given}, 100)`,
    allowed: { min: 0, max: 1_000_000 },
  },
  { field: 'source', name: 'source', type: 'text', stored: (given) => `coalesce(${given}, 'manual')` },
  { field: 'sourceRef', name: 'source_ref', type: 'text', allowed: { maxLength: 1024 } },
  { field: 'correlationId', name: 'correlation_id', type: 'text', allowed: { maxLength: 255 } },
  { field: 'subject.type', name: 'subject_type', type: 'text' },
  { field: 'subject.id', name: 'subject_id', type: 'text' },
  {
    field: 'scheduledFor',
    name: 'scheduled_for',
    type: 'timestamptz',
    stored: (given, { clock }) => `greatest(${given}, ${clock}.now)`,
    beside: {
      name: 'requested_for',
      stored: (given, { clock }) => `case when ${given} < ${clock}.now then ${given} end`,
    },
  },
  { field: 'expiresAt', name: 'expires_at', type: 'timestamptz' },
  { field: 'timeoutSeconds', name: 'timeout_seconds', type: 'integer', allowed: { min: 1, max: 604_800 } },
  {
    field: 'maxAttempts',
    name: 'max_attempts',
    type: 'integer',
    stored: (given, { definition }) => `coalesce(${given}, ${definition}.max_attempts)`,
    allowed: { min: 1, max: 1000 },
  },
  { field: 'tags', name: 'tags', type: 'text[]' },
  { field: 'metadata', name: 'metadata', type: 'jsonb' },
  { field: 'replayOf', name: 'replay_of', type: 'uuid' },
] as const satisfies readonly EnqueuedColumn[];

type Declared = (typeof ENQUEUED_COLUMNS)[number]['field'] | 'subject';

/**
 * What every job has, and what only some statements take. A field of `EnqueueInput` that stands nowhere does
 * not compile here.
 */
const UNDECLARED: Readonly<Record<Exclude<keyof EnqueueInput, Declared>, true>> = {
  definitionKey: true,
  payload: true,
  createdBy: true,
  dedupeKey: true,
  dedupeWindowSeconds: true,
  dependsOn: true,
};

/** All fields of an `EnqueueInput`. */
export const ENQUEUE_FIELDS: readonly string[] = [
  ...ENQUEUED_COLUMNS.map(({ field }) => field).filter(
    (field) => field !== 'replayOf' && !field.includes('.'),
  ),
  'subject',
  ...Object.keys(UNDECLARED),
];
