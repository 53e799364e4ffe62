import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { boundText, cleanText } from '../../../core/clean-text.ts';
import type { Lease } from '../../../core/queue.ts';
import { refused } from '../../../operations/ranges.ts';
import type { RemoteDeps } from './deps.ts';
import { checkLease, tenantServedBy } from './lease.ts';

export interface ProgressReport {
  /** 0 to 100. */
  readonly percent?: number | null | undefined;
  readonly stage?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly etaSeconds?: number | null | undefined;
}

const MAX_STAGE_LENGTH = 200;
const MAX_MESSAGE_LENGTH = 1_000;

/**
 * Shows how far a run is; what is absent is shown as unknown.
 * @throws DomainError `Forbidden` `InvalidArgument` `LostLease`
 */
export const reportProgress = defineUseCase(
  { name: 'reportProgress', role: 'worker', scope: 'jobs:write', toDo: 'report progress', cost: 2 },
  async ({ remote }: RemoteDeps, actor: Caller, given: Lease, report: ProgressReport): Promise<void> => {
    const lease = checkLease(given);
    const { percent = null, stage = null, message = null, etaSeconds = null } = report;
    if (percent !== null && !(percent >= 0 && percent <= 100))
      throw refused('percent', String(percent), '0 to 100');
    if (etaSeconds !== null && !(etaSeconds >= 0 && etaSeconds <= 1e9))
      throw refused('etaSeconds', String(etaSeconds), '0 to 1000000000');
    await remote.holding(lease, tenantServedBy(actor));
    await remote.reportProgress({
      lease,
      percent,
      stage: stage === null ? null : cleanText(boundText(stage, MAX_STAGE_LENGTH)),
      message: message === null ? null : cleanText(boundText(message, MAX_MESSAGE_LENGTH)),
      etaSeconds,
      previewKey: null,
    });
  },
);
