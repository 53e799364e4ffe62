import { DomainError } from '../core/errors.ts';

/**
 * Makes sure that a file may still be put for what waits for it: a signed URL outlives the upload that it was
 * made for.
 * @param row undefined where nothing waits for such a file
 * @param kind `video`
 * @param file what the file is to it: `original`
 * @throws DomainError `NotFound`, or `WrongState` once its upload is completed
 */
export function requireAwaiting<Row extends { readonly status: string }>(
  row: Row | undefined,
  kind: string,
  file: string,
): asserts row is Row {
  if (row === undefined)
    throw new DomainError('NotFound', `There is no ${kind} that this file would be the ${file} of.`);
  if (row.status !== 'awaiting_upload')
    throw new DomainError(
      'WrongState',
      `The upload of this ${kind} is completed already; its ${file} is not replaced.`,
      { allowed: `a ${kind} that awaits its upload` },
    );
}
