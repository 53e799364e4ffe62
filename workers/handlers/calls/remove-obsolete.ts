import type { HandlerContext } from '../../handler.ts';
import type { CallOwn } from './own.ts';

/** Marks the artifact of an object that goes as soon as what is made of it is there. */
export const OBSOLETE_AFTER = 'obsoleteAfter';

/**
 * Removes inputs that nothing needs any more: artifacts of the call that say to be obsolete once one of
 * `kind` is there, which it is by its row. The objects first: what a crash leaves is a row without an object,
 * which the next run takes away.
 */
export async function removeObsolete(context: HandlerContext<unknown, CallOwn>, kind: string): Promise<void> {
  const artifacts = await context.artifacts.find();
  if (!artifacts.some((artifact) => artifact.kind === kind)) return;
  const keys = artifacts.filter(({ metadata }) => metadata?.[OBSOLETE_AFTER] === kind).map(({ key }) => key);
  if (keys.length === 0) return;
  for (const key of keys) await context.tools.storage.delete(key);
  await context.own.call.forgetObjects(keys);
}
