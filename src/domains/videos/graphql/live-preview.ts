import type { VideoRow } from '../../../db/prisma.ts';
import { type GraphqlContext, loadersOf } from '../../../graphql/context.ts';

/** What the run at work on a video shows of it: looked for only by those who find nothing published. */
export function livePreviewOf({ id }: VideoRow, context: GraphqlContext): () => Promise<string | null> {
  return async () => (await loadersOf(context).progressOfVideo.load(id))?.previewKey ?? null;
}
