import type DataLoader from 'dataloader';
import type { Actor } from '../core/actor.ts';
import type { Reach } from '../core/reach.ts';
import type { ReadDatabase, ReadTransaction } from '../db/prisma.ts';
import { AnswerBytes } from './job-json.ts';
import type { LoaderDefinition } from './loader.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** The one snapshot that an operation reads, with its loaders. Nothing is opened before the first read. */
export class OperationReads {
  readonly #begin: () => ReadTransaction;
  readonly #tenantId: string;
  readonly #answer: AnswerBytes;
  readonly #reach: Reach | undefined;
  #transaction: ReadTransaction;
  #loaders: Loaders | null = null;
  /** Those of domains, by their definitions. */
  #ofDomains = new Map<LoaderDefinition<never, unknown>, unknown>();
  #renewing: Promise<void> | undefined;

  /** @param charge called with the bytes of JSON that the answer is going to have, which are bounded then */
  constructor(database: ReadDatabase, actor: Actor, charge: ((bytes: number) => void) | null = null) {
    this.#begin = () => database.read({ role: 'api', tenantId: actor.tenantId });
    this.#tenantId = actor.tenantId;
    this.#answer = new AnswerBytes(charge);
    this.#reach = actor.reach;
    this.#transaction = this.#begin();
  }

  get transaction(): ReadTransaction {
    return this.#transaction;
  }

  get loaders(): Loaders {
    // Made at the first read: a subscription that joins others reads nothing itself.
    this.#loaders ??= createLoaders(this.#transaction, this.#tenantId, this.#answer, this.#reach);
    return this.#loaders;
  }

  /** A domain's loader, made at its first use. */
  loader<Key, Value>(definition: LoaderDefinition<Key, Value>): DataLoader<Key, Value> {
    const known = this.#ofDomains.get(definition) as DataLoader<Key, Value> | undefined;
    if (known !== undefined) return known;
    const made = definition.create({
      reads: this.#transaction,
      tenantId: this.#tenantId,
      reach: this.#reach,
      loaders: this.loaders,
    });
    this.#ofDomains.set(definition, made);
    return made;
  }

  /** Goes on with a new snapshot: after a mutation has written, so that its result shows what it wrote. */
  async renew(): Promise<void> {
    await this.#transaction.close();
    this.#transaction = this.#begin();
    this.#loaders = null;
    this.#ofDomains = new Map();
  }

  /**
   * The same, unless somebody has done so since that transaction: several reads of one operation may fail
   * together.
   */
  async renewAfter(failed: ReadTransaction): Promise<void> {
    if (this.#transaction !== failed) return this.#renewing;
    this.#transaction = this.#begin();
    this.#loaders = null;
    this.#ofDomains = new Map();
    this.#renewing = failed.close();
    await this.#renewing;
  }

  /** Ends the snapshot; called before the answer goes out. */
  close(): Promise<void> {
    return this.#transaction.close();
  }
}
