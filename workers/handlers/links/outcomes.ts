import { type Outcome, snoozed } from '../../../src/core/outcome.ts';
import { ProviderBusy } from '../../../src/domains/links/providers/provider-error.ts';
import { permanentOutgoing } from '../../../src/outgoing/outgoing-error.ts';
import { HostBusy } from './polite-client.ts';

/**
 * What a failure means for the job: a service or a host that asks to wait is waited for, which spends no run;
 * what no retry helps ends it.
 * @throws PermanentError for the latter, else what was given
 */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof ProviderBusy || error instanceof HostBusy)
    return snoozed(Math.max(1, Math.ceil(error.waitSeconds)), error.message);
  throw permanentOutgoing(error) ?? error;
}
