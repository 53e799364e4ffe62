import type { DomainErrorDetails } from '../core/errors.ts';
import type { SchemaOwner } from './payload-validator.ts';

/** What the thread is started with. */
export interface ThreadSetup {
  readonly maxPayloadBytes: number;
}

/** One payload to check. */
export interface CheckOrder {
  readonly definition: SchemaOwner;
  readonly json: string;
}

/** Said once, before the first answer: all is loaded. */
export type ThreadReady = 'ready';

/** The payload with its defaults; why it is refused; or what else went wrong, which is a fault of ours. */
export type CheckAnswer =
  | { readonly kind: 'taken'; readonly json: string }
  | {
      readonly kind: 'refused';
      readonly code: 'InvalidPayload' | 'PayloadTooLarge';
      readonly message: string;
      readonly details: DomainErrorDetails;
    }
  | { readonly kind: 'failed'; readonly message: string };
