import type { JobQueue } from '../../src/core/queue.ts';
import { echo } from '../../src/domains/echo/echo.ts';
import { registeredDomains } from '../../src/domains/registered.ts';
import { pipelinesOf } from '../../src/queue/pipelines.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { syncDefinitions } from '../../src/queue/sync-definitions.ts';
import type { MeasureContext } from '../measuring/measure.ts';
import { noop } from './noop.ts';
import { openStage, type Stage } from './stage.ts';

/** A stage with the whole queue on it, to claim from this process. */
export interface ClaimingStage extends AsyncDisposable {
  readonly stage: Stage;
  readonly queue: JobQueue;
  readonly noopId: string;
  readonly echoId: string;
}

export async function openClaimingStage(context: MeasureContext): Promise<ClaimingStage> {
  const stage = await openStage(context);
  const definitions = await syncDefinitions(stage.database, [noop, echo]);
  return {
    stage,
    queue: createPostgresQueue(stage.database, stage.notifier, definitions, {
      pipelines: pipelinesOf(registeredDomains({ echo: true })),
    }),
    noopId: stage.definitionIdOf(noop.key),
    echoId: stage.definitionIdOf(echo.key),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

/**
 * Adds jobs of the stage's tenant; `extra` sets more columns:
 * `{ scheduled_for: "now() + interval '1 day'" }`.
 */
export async function addJobs(
  { client, tenantId }: Stage,
  definitionId: string,
  count: number,
  extra: Readonly<Record<string, string>> = {},
): Promise<void> {
  const columns = Object.keys(extra).map((name) => `, ${name}`);
  const values = Object.values(extra).map((value) => `, ${value}`);
  await client.query(
    `insert into millrace.jobs (tenant_id, definition_id ${columns.join('')}) select $1, $2 ${values.join('')} from generate_series(1, $3::int)`,
    [tenantId, definitionId, count],
  );
}
