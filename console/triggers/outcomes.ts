import type { TriggerRunOutcome } from '../api/operations.gen.ts';

const WORDS: Readonly<Partial<Record<string, string>>> = {
  ENQUEUED: 'a job was enqueued',
  CONDITION_FALSE: 'its condition did not hold',
  DEFINITION_INACTIVE: 'its definition is inactive',
  DISABLED: 'it was paused',
  DUPLICATE: 'there was one already',
  MISSED: 'the run was missed',
  PAYLOAD_REFUSED: 'the payload was refused',
  STILL_ACTIVE: 'the job before was still active',
  CHAIN_TOO_DEEP: 'the chain of events is too long',
  TEMPLATE_ERROR: 'the template could not be filled',
};

/** What came of a run, or why nothing did. */
export function outcomeInWords(outcome: TriggerRunOutcome): string {
  return WORDS[outcome] ?? outcome.toLowerCase().replaceAll('_', ' ');
}
