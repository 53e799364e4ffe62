/**
 * A word of ours as a value of an enum: `dead_letter` is `DEAD_LETTER`, `InvalidPayload` is
 * `INVALID_PAYLOAD`, `job.cancel` is `JOB_CANCEL`.
 */
export function enumName(word: string): string {
  return word
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .replaceAll(/[^A-Za-z0-9]/g, '_')
    .toUpperCase();
}
