import DataLoader from 'dataloader';

/** The beginning of a list that belongs to a video. */
export interface FirstOfVideo {
  readonly videoId: string;
  /** Rows at most. */
  readonly take: number;
}

/**
 * A loader of beginnings: those of all videos of a page that are as long are one read.
 * @param read the first `take` rows of each video, each video's in the list's order
 */
export function firstOfVideos<Row extends { readonly videoId: string | null }>(
  read: (videoIds: readonly string[], take: number) => Promise<readonly Row[]>,
): DataLoader<FirstOfVideo, readonly Row[], string> {
  return new DataLoader(
    async (asked) => {
      const byTake = new Map<number, Map<string | null, Row[]>>();
      for (const [take, of] of Map.groupBy(asked, (each) => each.take)) {
        const rows = await read([...new Set(of.map(({ videoId }) => videoId))], take);
        byTake.set(
          take,
          Map.groupBy(rows, ({ videoId }) => videoId),
        );
      }
      return asked.map(({ videoId, take }) => byTake.get(take)?.get(videoId) ?? []);
    },
    { cacheKeyFn: ({ videoId, take }) => `${videoId} ${take}` },
  );
}
