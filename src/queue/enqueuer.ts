import type { CheckedJob, CheckedJobResult, Replay } from '../core/producer-queue.ts';
import type { EnqueueInput, EnqueueItemResult, EnqueueResult } from '../core/queue.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { enqueueIn, newJob, resultOf } from './enqueue.ts';
import { enqueueCheckedIn } from './enqueue-checked-in.ts';
import { enqueueInputs, enqueueItems } from './enqueue-many.ts';
import { enqueueChecked, insertOne, type SingleEnqueueDeps } from './enqueue-one.ts';
import { InsertGroups } from './insert-groups.ts';
import { KnownDefinitions } from './known-definitions.ts';
import type { NewJob, Outcome } from './new-jobs.ts';
import { notifyReady } from './notifications.ts';
import type { PendingCancelFinisher } from './pending-cancel-finisher.ts';
import type { BulkItem, Prepare } from './prepare.ts';
import { insertReplay } from './replay.ts';

/**
 * Everything that puts jobs into the queue, with what follows the commit: the notification, and the end of
 * jobs that a parent has doomed.
 */
export class Enqueuer {
  readonly #notifier: Notifier;
  readonly #ender: PendingCancelFinisher;
  readonly #deps: SingleEnqueueDeps;

  /** @param maxPayloadBytes largest payload, as JSON text in UTF-8 */
  constructor(db: Database, notifier: Notifier, ender: PendingCancelFinisher, maxPayloadBytes: number) {
    this.#notifier = notifier;
    this.#ender = ender;
    this.#deps = {
      db,
      groups: new InsertGroups(db, notifier),
      definitions: new KnownDefinitions(db),
      maxPayloadBytes,
    };
  }

  /** @throws DomainError as `enqueueIn` */
  async enqueue(tenantId: string, inputs: readonly EnqueueInput[]): Promise<readonly EnqueueResult[]> {
    const { db, maxPayloadBytes } = this.#deps;
    const [only] = inputs;
    if (inputs.length === 1 && only !== undefined) {
      const outcome = await insertOne(this.#deps, newJob(tenantId, only, null, maxPayloadBytes));
      return [await this.#afterOne(outcome, inputs)];
    }
    const results = await db.transaction({ role: 'api', tenantId }, (tx) =>
      enqueueIn(tx, tenantId, inputs, { maxPayloadBytes }),
    );
    await this.#afterCommit(results, inputs);
    return results;
  }

  /** @throws DomainError as `enqueueIn` */
  enqueueIn(
    tx: Transaction,
    tenantId: string,
    inputs: readonly EnqueueInput[],
  ): Promise<readonly EnqueueResult[]> {
    return enqueueIn(tx, tenantId, inputs, { maxPayloadBytes: this.#deps.maxPayloadBytes });
  }

  /** Jobs of any tenants in one statement of the caller's transaction; see `enqueueCheckedIn`. */
  enqueueCheckedIn(tx: Transaction, jobs: readonly CheckedJob[]): Promise<readonly CheckedJobResult[]> {
    return enqueueCheckedIn(tx, jobs, this.#deps.maxPayloadBytes);
  }

  /**
   * Enqueues one job whose payload is checked by its definition: `prepare` is called with the definition as
   * it is, again if it has changed by the time the job is written.
   * @throws DomainError what `prepare` throws, and as `enqueue`
   */
  async enqueueChecked(tenantId: string, definitionKey: string, prepare: Prepare): Promise<EnqueueResult> {
    const inputs: EnqueueInput[] = [];
    const outcome = await enqueueChecked(this.#deps, tenantId, definitionKey, noting(inputs, prepare));
    return await this.#afterOne(outcome, inputs);
  }

  /**
   * Enqueues a job that replays an ended one, as `enqueueChecked` does, with its entry in the audit log.
   * @throws DomainError what `prepare` throws, and as `enqueue`
   */
  async replayChecked(
    tenantId: string,
    definitionKey: string,
    replay: Replay,
    prepare: Prepare,
  ): Promise<EnqueueResult> {
    const write = (job: NewJob): Promise<Outcome> => insertReplay(this.#deps.db, job, replay);
    return await this.#afterOne(
      await enqueueChecked(this.#deps, tenantId, definitionKey, prepare, write),
      [],
    );
  }

  /** @throws DomainError as `enqueueInputs` */
  async enqueueMany(
    tenantId: string,
    inputs: readonly EnqueueInput[],
  ): Promise<readonly EnqueueItemResult[]> {
    const results = await enqueueInputs(this.#deps, tenantId, inputs);
    await this.#afterCommit(results, inputs);
    return results;
  }

  /**
   * As `enqueueMany`, each job checked by its definition as `enqueueChecked` does.
   * @throws DomainError as `enqueueItems`
   */
  async enqueueManyChecked(
    tenantId: string,
    items: readonly BulkItem[],
  ): Promise<readonly EnqueueItemResult[]> {
    const inputs: EnqueueInput[] = [];
    const noted = items.map(({ definitionKey, prepare }) => ({
      definitionKey,
      prepare: noting(inputs, prepare),
    }));
    const results = await enqueueItems(this.#deps, tenantId, noted);
    await this.#afterCommit(results, inputs);
    return results;
  }

  /** @throws DomainError what the job was refused for */
  async #afterOne(outcome: Outcome, inputs: readonly EnqueueInput[]): Promise<EnqueueResult> {
    const result = resultOf(outcome);
    const isNotified = outcome.kind === 'created' && outcome.isNotified === true;
    if (!isNotified) await this.#afterCommit([result], inputs);
    return result;
  }

  async #afterCommit(results: readonly EnqueueItemResult[], inputs: readonly EnqueueInput[]): Promise<void> {
    const created = results.filter(({ kind }) => kind === 'created').length;
    if (created === 0) return;
    notifyReady(this.#notifier, created);
    // A parent may have ended badly before: then the new job is there only to end as its policy says.
    if (inputs.some((input) => (input?.dependsOn?.length ?? 0) > 0)) await this.#ender.end();
  }
}

function noting(inputs: EnqueueInput[], prepare: Prepare): Prepare {
  const note = (input: EnqueueInput): EnqueueInput => {
    inputs.push(input);
    return input;
  };
  return (definition) => {
    const prepared = prepare(definition);
    return prepared instanceof Promise ? prepared.then(note) : note(prepared);
  };
}
