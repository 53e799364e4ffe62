import type { CallRow } from '../../../db/prisma.ts';
import { notFound } from '../../../jobs/not-found.ts';
import type { RestContext } from '../../../rest/context.ts';
import { callLoader } from '../graphql/loaders.ts';
import { readCall } from '../use-cases/find-calls.ts';

/** @throws DomainError `NotFound` */
export async function foundCall({ operation, caller }: RestContext, callId: string): Promise<CallRow> {
  const id = callId.toLowerCase();
  const row = await readCall(operation.loader(callLoader), caller, id);
  if (row !== null) return row;
  throw notFound('call', id);
}
