import { MillraceError } from '../../src/client/index.ts';
import { currentToken } from '../session/oidc-session.ts';
import { GRAPHQL_URL } from '../session/place.ts';
import { storedTenant } from '../session/tenant-choice.ts';
import { JobData } from './operations.gen.ts';
import { rawValues } from './raw-json.ts';

export interface RawData {
  readonly payload: string;
  readonly result: string;
}

/**
 * A job's payload and result as the server has written them: no number of theirs is ever read here. @throws
 * MillraceError
 */
export async function fetchRawData(jobId: string, signal: AbortSignal): Promise<RawData> {
  const tenantId = storedTenant();
  const response = await fetch(GRAPHQL_URL, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${await currentToken()}`,
      ...(tenantId !== null && { 'x-millrace-tenant': tenantId }),
    },
    body: JSON.stringify({ query: JobData.text, variables: { id: jobId } }),
    signal,
  });
  const text = await response.text();
  const job = rawValues(text, ['data', 'job']);
  if (job === null)
    throw new MillraceError('NOT_FOUND', `The job’s data could not be read (${response.status})`, {
      recovery: 'retry',
    });
  return { payload: job.get('payload') ?? 'null', result: job.get('result') ?? 'null' };
}
