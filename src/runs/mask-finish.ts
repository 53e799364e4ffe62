import type { JobError } from '../core/job.ts';
import type { Settlement } from '../core/outcome.ts';
import type { Finish } from '../core/queue.ts';
import type { SecretMask } from '../core/redaction/secret-mask.ts';

/**
 * How a run ends, without the values of its job's secret fields. A plain success says nothing, and is not
 * looked at.
 */
export function maskFinish(run: { readonly mask: SecretMask | null }, finish: Finish): Finish {
  if (finish.kind === 'handBack' || saysNothing(finish)) return finish;
  const { mask } = run;
  if (mask === null) return finish;
  if (finish.kind === 'retry') return { ...finish, error: maskError(mask, finish.error) };
  if (finish.kind === 'snooze') return { ...finish, reason: mask.text(finish.reason) };
  return { ...finish, settlement: maskSettlement(mask, finish.settlement) };
}

function saysNothing(finish: Finish): boolean {
  if (finish.kind !== 'final' || finish.settlement.status !== 'succeeded') return false;
  const { result, skippedReason } = finish.settlement;
  return result == null && skippedReason === null;
}

function maskSettlement(mask: SecretMask, settlement: Settlement): Settlement {
  switch (settlement.status) {
    case 'succeeded':
      return {
        ...settlement,
        skippedReason: settlement.skippedReason === null ? null : mask.text(settlement.skippedReason),
        result: mask.value(settlement.result),
      };
    case 'canceled':
      return { ...settlement, reason: mask.text(settlement.reason) };
    default:
      return { ...settlement, error: maskError(mask, settlement.error) };
  }
}

function maskError(mask: SecretMask, error: JobError): JobError {
  return { ...error, type: mask.text(error.type), message: mask.text(error.message) };
}
