import type { BulkItem as AnyBulkItem, Prepare as AnyPrepare } from '../core/producer-queue.ts';
import type { DefinitionRow } from '../db/sql/queue/find-definitions.ts';

/** With what this engine knows of a definition. */
export type Prepare = AnyPrepare<DefinitionRow>;
export type BulkItem = AnyBulkItem<DefinitionRow>;
