import { refused } from '../../../operations/ranges.ts';

const PREFIX = 'job-files/';
const NAME = /^[A-Za-z0-9_][\w.-]{0,150}$/;

/** Where a run's files are: nobody else's URL leads there. */
export function jobFilePrefix(tenantId: string, jobId: string, runNo: number): string {
  return `${PREFIX}${tenantId}/${jobId}/${runNo}/`;
}

/** @throws DomainError `InvalidArgument` for a name that is none of a file */
export function jobFileKey(tenantId: string, jobId: string, runNo: number, name: string): string {
  if (!NAME.test(name))
    throw refused(
      'name',
      JSON.stringify(name.slice(0, 170)),
      '1 to 151 of a-z, A-Z, 0-9, _, -, ., not beginning with - or .',
    );
  return `${jobFilePrefix(tenantId, jobId, runNo)}${name}`;
}

export interface JobFileRun {
  readonly tenantId: string;
  readonly jobId: string;
  readonly runNo: number;
}

/** The run that a key belongs to; null for a key of another kind. */
export function runOfJobFile(key: string): JobFileRun | null {
  const [, tenantId, jobId, runNo, name] = key.split('/');
  if (!key.startsWith(PREFIX) || tenantId === undefined || jobId === undefined || name === undefined)
    return null;
  return { tenantId, jobId, runNo: Number(runNo) };
}
