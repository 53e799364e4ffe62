import { DomainError } from '../core/errors.ts';
import {
  checkJobTexts,
  checkMinAttemptCount,
  distinctErrorTypes,
  distinctTags,
  distinctTexts,
  distinctValues,
} from '../core/filter-values.ts';
import type { JobSource, JobStatus, Subject } from '../core/job.ts';
import { idBoundsOf } from '../core/uuid-time.ts';
import type { JobConditions } from '../db/job-walk-parts.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import { MAX_GUESSED_KEYS, withGuess } from './definition-guess.ts';
import type { PageWindow } from './page.ts';
import { payloadCondition } from './payload-filter.ts';

/** As long as a definition's key can be. */
const MAX_KEY_LENGTH = 100;
const MAX_IDS = 1_000;

/** Which jobs; what is omitted does not matter. */
export interface JobFilter {
  /** UUIDs. */
  readonly ids?: readonly string[] | null | undefined;
  readonly statuses?: readonly JobStatus[] | null | undefined;
  /**
   * True: those that are due, queued ones that wait for no other and whose time has come; false: all others.
   */
  readonly due?: boolean | null | undefined;
  readonly definitionKeys?: readonly string[] | null | undefined;
  readonly subject?: Subject | null | undefined;
  readonly correlationId?: string | null | undefined;
  /** At least one of them. */
  readonly tags?: readonly string[] | null | undefined;
  readonly createdBy?: string | null | undefined;
  /** At or after. */
  readonly createdAfter?: Date | null | undefined;
  /** Before, not at. */
  readonly createdBefore?: Date | null | undefined;
  /** At or after, as the next only of jobs that have ended. */
  readonly finishedAfter?: Date | null | undefined;
  /** Before, not at. */
  readonly finishedBefore?: Date | null | undefined;
  /** The type of the last error is one of these. */
  readonly errorTypes?: readonly string[] | null | undefined;
  /** What asked for them, one of these. */
  readonly sources?: readonly JobSource[] | null | undefined;
  /** Part of the error, correlation id, subject or a tag, in whatever case. */
  readonly text?: string | null | undefined;
  /** Runs that ended in an error, a timeout or a lost lease: at least N, from 1. */
  readonly minAttemptCount?: number | null | undefined;
  /** An object whose fields and values their payloads have, as `@>` of Postgres compares them. */
  readonly payloadContains?: unknown;
}

/**
 * A filter as conditions on one tenant's jobs, which are gone through in the order of their ids.
 * @throws DomainError `InvalidArgument` for values, `UnknownDefinition`
 */
export async function conditionsOf(
  reads: ReadTransaction,
  tenantId: string,
  filter: JobFilter,
  window: Pick<PageWindow, 'id' | 'direction'>,
): Promise<JobConditions> {
  checkJobTexts(filter);
  const { ids, statuses, definitionKeys, tags, createdBy, errorTypes } = filter;
  const { text, subject, correlationId, finishedAfter, finishedBefore, sources } = filter;
  const { minAttemptCount = null, payloadContains = null } = filter;
  checkMinAttemptCount(minAttemptCount);
  const ofDefinitions = definitionKeys == null ? null : await definitionIds(reads, definitionKeys);
  return {
    tenantId,
    direction: window.direction,
    idBounds: idBoundsOf(window.id, filter),
    ids: ids == null ? null : distinctValues('filter.ids', ids, MAX_IDS),
    statuses: statuses == null ? null : distinctValues('filter.statuses', statuses),
    due: filter.due ?? null,
    definitionIds: ofDefinitions,
    subject: subject ?? null,
    correlationId: correlationId ?? null,
    tags: tags == null ? null : distinctTags(tags),
    creators: createdBy == null ? [] : [createdBy],
    finishedAfter: finishedAfter ?? null,
    finishedBefore: finishedBefore ?? null,
    errorTypes: errorTypes == null ? null : distinctErrorTypes(errorTypes),
    sources: sources == null ? null : distinctValues('filter.sources', sources),
    text: text ?? null,
    minAttemptCount,
    payload: payloadContains === null ? null : await payloadCondition(reads, payloadContains, ofDefinitions),
  };
}

/**
 * Ids of definitions by key.
 * @throws DomainError `InvalidArgument`, `UnknownDefinition`: a misspelled filter would just show nothing
 */
export async function definitionIds(reads: ReadTransaction, keys: readonly string[]): Promise<string[]> {
  const distinct = distinctTexts('filter.definitions', keys, MAX_KEY_LENGTH);
  const prisma = await reads.prisma();
  const rows = await prisma.jobDefinition.findMany({
    where: { key: { in: distinct } },
    select: { id: true, key: true },
  });
  const missing = distinct.find((key) => !rows.some((row) => row.key === key));
  if (missing === undefined) return rows.map((row) => row.id);
  const known = await prisma.jobDefinition.findMany({
    select: { key: true },
    orderBy: { key: 'asc' },
    take: MAX_GUESSED_KEYS,
  });
  const error = new DomainError(
    'UnknownDefinition',
    `There is no job definition ${JSON.stringify(missing)}.`,
    {
      field: `filter.definitions[${keys.indexOf(missing)}]`,
      allowed: 'keys of definitions, as `jobDefinitions` lists them',
    },
  );
  throw withGuess(
    error,
    missing,
    known.map(({ key }) => key),
  );
}
