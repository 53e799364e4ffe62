import type { Actor } from '../../../core/actor.ts';
import { DomainError, PermanentError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import { inDependencyOrder, type NextJobInput } from '../../../core/next-jobs.ts';
import { parseJson } from '../../../core/parse-json.ts';
import { hasSecretFields } from '../../../core/redaction/secret-fields.ts';
import { type DefinitionRow, findDefinitions } from '../../../db/sql/queue/find-definitions.ts';
import { checkNumber } from '../../../operations/ranges.ts';
import { JsonText } from '../../../payloads/payload-json.ts';
import type { RemoteDeps } from './deps.ts';
import { MAX_DELAY_SECONDS } from './fail-job.ts';
import { tenantServedBy } from './lease.ts';

/** A job that is to follow, its definition by key. */
export interface RemoteNextJob extends Omit<NextJobInput, 'definition'> {
  readonly definition: string;
}

/**
 * The jobs that are to follow, each checked as one that is enqueued. A worker of one tenant may ask for what
 * an administrator of the tenant may enqueue.
 * @param tenantId whose jobs they are
 * @throws DomainError `UnknownDefinition` `InvalidArgument` `InvalidPayload` `PayloadTooLarge` `Forbidden`
 */
export async function checkNextJobs(
  deps: RemoteDeps,
  actor: Actor,
  tenantId: string,
  next: readonly RemoteNextJob[],
): Promise<readonly NextJobInput[]> {
  if (next.length === 0) return [];
  for (const [index, job] of next.entries()) checkTexts(`next[${index}]`, job);
  checkOrder(next);
  const keys = [...new Set(next.map(({ definition }) => definition))];
  const { rows } = await deps.db.asWorker<DefinitionRow>(findDefinitions, [keys]);
  const definitions = new Map(rows.map((row) => [row.key, row]));
  const checked: NextJobInput[] = [];
  for (const [index, job] of next.entries()) {
    const definition = mayFollow(actor, definitions.get(job.definition), `next[${index}].definition`, job);
    const payload = await below(`next[${index}]`, async () =>
      deps.payloads.check(tenantId, definition, job.payload ?? {}),
    );
    checked.push({ ...job, payload: sealed(deps, tenantId, definition, payload) });
  }
  return checked;
}

function checkTexts(at: string, { definition, key, after = [], dedupeKey, ...job }: RemoteNextJob): void {
  checkFilterText(`${at}.definition`, definition, 100);
  checkFilterText(`${at}.key`, key, 200);
  for (const [index, name] of after.entries()) checkFilterText(`${at}.after[${index}]`, name, 200);
  checkFilterText(`${at}.dedupeKey`, dedupeKey, 1_024);
  checkNumber(`${at}.priority`, job.priority, 0, 1_000_000);
  if (job.delaySeconds !== undefined)
    checkNumber(`${at}.delaySeconds`, Math.floor(job.delaySeconds), 0, MAX_DELAY_SECONDS);
}

/** Names the place of what is refused within the list. */
async function below<T>(at: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof DomainError) || typeof error.details['field'] !== 'string') throw error;
    const details = { ...error.details, field: `${at}.${error.details['field']}` };
    throw new DomainError(error.code, error.message, details, error);
  }
}

/** @throws DomainError `InvalidArgument` */
function checkOrder(next: readonly RemoteNextJob[]): void {
  try {
    inDependencyOrder(next);
  } catch (error) {
    if (!(error instanceof PermanentError)) throw error;
    throw new DomainError('InvalidArgument', error.message, { field: 'next' }, error);
  }
}

function mayFollow(
  actor: Actor,
  definition: DefinitionRow | undefined,
  field: string,
  job: RemoteNextJob,
): DefinitionRow {
  if (definition === undefined)
    throw new DomainError(
      'UnknownDefinition',
      `There is no job definition ${JSON.stringify(job.definition.slice(0, 120))}.`,
      { field, allowed: 'a key of a job definition' },
    );
  if (definition.enqueue_role === 'system' && tenantServedBy(actor) !== null)
    throw new DomainError(
      'Forbidden',
      `This worker may not enqueue ${job.definition}, which is Millrace's own.`,
      {
        field,
        allowed: 'definitions that an administrator of the tenant may enqueue',
      },
    );
  return definition;
}

function sealed(
  { secrets }: RemoteDeps,
  tenantId: string,
  { arg_schema: schema }: DefinitionRow,
  payload: unknown,
): unknown {
  if (!secrets.isActive || !hasSecretFields(schema)) return payload;
  return secrets.seal(tenantId, schema, payload instanceof JsonText ? parseJson(payload.json) : payload);
}
