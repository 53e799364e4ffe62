import { useQuery } from '@tanstack/react-query';

/** One picture of a storyboard: when it is shown, and where in which file of pictures it is. */
interface Tile {
  readonly startMs: number;
  readonly endMs: number;
  readonly url: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const CUE = /^([\d:.]+) --> ([\d:.]+)[^\n]*\n(\S+?)#xywh=(\d+),(\d+),(\d+),(\d+)/gm;

/** The tiles of a WebVTT file, whose pictures stand relative to it. */
function tilesOf(webVtt: string, address: string): readonly Tile[] {
  return [...webVtt.replaceAll('\r\n', '\n').matchAll(CUE)].map(([, from, to, picture, ...box]) => {
    const [x = 0, y = 0, width = 0, height = 0] = box.map(Number);
    return {
      startMs: msOf(from ?? ''),
      endMs: msOf(to ?? ''),
      url: new URL(picture ?? '', address).href,
      x,
      y,
      width,
      height,
    };
  });
}

/** `01:02:03.500` or `02:03.500`. */
function msOf(time: string): number {
  return Math.round(1_000 * time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0));
}

/** A video's storyboard; empty while there is none. */
export function useStoryboard(address: string | undefined): readonly Tile[] {
  const query = useQuery({
    queryKey: ['storyboard', address],
    enabled: address !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const response = await fetch(address ?? '', { signal });
      if (!response.ok) throw new Error(`The storyboard was answered with ${response.status}`);
      return tilesOf(await response.text(), new URL(address ?? '', location.href).href);
    },
  });
  return query.data ?? [];
}
