import type { VideoRow } from '../../../db/prisma.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { progressOfVideoLoader } from './loaders.ts';

/** What the run at work on a video shows of it: looked for only by those who find nothing published. */
export function livePreviewOf({ id }: VideoRow, context: GraphqlContext): () => Promise<string | null> {
  return async () => (await loaderOf(context, progressOfVideoLoader).load(id))?.previewKey ?? null;
}
