import type { JobDefinition } from '../core/definition.ts';
import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import type { EnqueueInput, EnqueueItemResult, EnqueueResult } from '../core/queue.ts';
import { toLabeledJob } from '../db/rows.ts';
import { findDefinitions } from '../db/sql/queue/find-definitions.ts';
import { type FoundJobRow, findJob } from '../db/sql/read/find-job.ts';
import { enqueueAndWait } from '../queue/enqueue-and-wait.ts';
import { syncDefinitions } from '../queue/sync-definitions.ts';
import { checkClientOptions } from './check-client-options.ts';
import { ClientConnection, type Connected } from './client-connection.ts';
import type { Client, ClientJob, EnqueueOptions } from './client-contract.ts';
import { enqueueInput } from './enqueue-input.ts';
import type { ClientOptions } from './options.ts';
import { PayloadChecker } from './payload-checker.ts';

const DEFAULT_WAIT_SECONDS = 60;

/**
 * A client for one tenant's jobs. Nothing happens before its first call, which waits for the database and its
 * schema.
 * @throws DomainError `InvalidArgument` naming the option at fault
 */
export function createClient(options: ClientOptions): Client {
  checkClientOptions(options);
  const connection = new ClientConnection(options);
  const payloads = new PayloadChecker();
  const knownKeys = new Set<string>();
  const by = options.createdBy ?? null;
  const toInput = (definition: JobDefinition, payload: unknown, given: EnqueueOptions): EnqueueInput =>
    enqueueInput(definition, payloads.check(definition, payload as never), given, by);
  const openFor = async (definition: JobDefinition): Promise<Connected> => {
    const connected = await connection.open();
    if (!knownKeys.has(definition.key)) await makeKnown(connected, definition);
    knownKeys.add(definition.key);
    return connected;
  };

  return {
    enqueue: async (definition, payload, given = {}) => {
      const input = toInput(definition, payload, given);
      const { queue, tenantId } = await openFor(definition);
      const [result] = await queue.enqueue(tenantId, [input]);
      return result as EnqueueResult;
    },
    enqueueMany: async (definition, items) => {
      const inputs = items.map(({ payload, ...given }) =>
        orInvalid(() => toInput(definition, payload, given)),
      );
      const valid = inputs.filter((input): input is EnqueueInput => !isInvalid(input));
      const { queue, tenantId } = await openFor(definition);
      const results = (await queue.enqueueMany(tenantId, valid)).values();
      return inputs.map((input) => (isInvalid(input) ? input : (results.next().value as EnqueueItemResult)));
    },
    enqueueAndWait: async (definition, payload, given = {}) => {
      const { waitSeconds = DEFAULT_WAIT_SECONDS, signal, ...rest } = given;
      const input = toInput(definition, payload, rest);
      const connected = await openFor(definition);
      const job = await enqueueAndWait(
        connected.queue,
        connection.waiter(connected),
        connected.tenantId,
        input,
        {
          timeoutSeconds: waitSeconds,
          ...(signal && { signal }),
        },
      );
      return { ...job, definitionKey: definition.key };
    },
    job: async (id) => readJob(await connection.open(), id),
    cancel: async (id, reason) => {
      const { queue, tenantId } = await connection.open();
      return isUuid(id) ? queue.cancel(tenantId, id, by ?? 'client', reason ?? null) : { kind: 'notFound' };
    },
    retry: async (id) => {
      const { queue, tenantId } = await connection.open();
      return isUuid(id) ? queue.retry(tenantId, id, by ?? 'client') : { kind: 'notFound' };
    },
    close: () => connection.close(),
  };
}

/**
 * A program may enqueue before the first worker that runs the job has started. What a worker has declared is
 * left as it is.
 */
async function makeKnown({ database }: Connected, definition: JobDefinition): Promise<void> {
  const { rowCount } = await database.asWorker(findDefinitions, [[definition.key]]);
  if (rowCount === 0) await syncDefinitions(database, [definition]);
}

async function readJob({ database, tenantId }: Connected, id: string): Promise<ClientJob | null> {
  if (!isUuid(id)) return null;
  const { rows } = await database.transaction({ role: 'api', tenantId, readOnly: true }, (tx) =>
    tx.query<FoundJobRow>(findJob, [tenantId, id]),
  );
  return rows[0] === undefined ? null : { ...toLabeledJob(rows[0]), definitionKey: rows[0].definition_key };
}

type Invalid = Extract<EnqueueItemResult, { kind: 'invalid' }>;

function isInvalid(input: EnqueueInput | Invalid): input is Invalid {
  return 'kind' in input;
}

function orInvalid(make: () => EnqueueInput): EnqueueInput | Invalid {
  try {
    return make();
  } catch (error) {
    if (error instanceof DomainError) return { kind: 'invalid', error };
    throw error;
  }
}
