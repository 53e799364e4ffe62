import { useEffect, useRef } from 'react';

/**
 * A video by its playlist: where the browser cannot play one by itself, hls.js does, which is loaded for that
 * alone.
 */
export function Player({
  playlist,
  poster,
  title,
  startSeconds,
  textTrack,
  onTime,
  place,
}: {
  readonly playlist: string;
  readonly poster: string | null;
  readonly title: string;
  readonly startSeconds: number | undefined;
  readonly textTrack: string | undefined;
  readonly onTime: (seconds: number) => void;
  readonly place: React.RefObject<HTMLVideoElement | null>;
}) {
  const first = useRef(startSeconds);
  // Signed addresses are given again while they are still good: a picture that plays is not begun again for
  // that.
  const file = playlist.replace(/\/files\/[^/]+/, '');
  const latest = useRef(playlist);
  latest.current = playlist;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another signature of the same file is no reason
  useEffect(() => {
    const video = place.current;
    if (video === null) return undefined;
    return play(video, latest.current, first.current);
  }, [file, place]);
  return (
    // biome-ignore lint/a11y/useMediaCaption: what was read in its pictures is its text track, where there is one
    <video
      ref={place}
      className="player"
      controls
      playsInline
      crossOrigin="anonymous"
      preload="metadata"
      poster={poster ?? undefined}
      aria-label={title}
      onTimeUpdate={({ currentTarget }) => onTime(currentTarget.currentTime)}
    >
      {textTrack !== undefined && <track kind="metadata" src={textTrack} />}
    </video>
  );
}

function play(video: HTMLVideoElement, playlist: string, startSeconds: number | undefined): () => void {
  const seek = (): void => {
    if (startSeconds !== undefined) video.currentTime = startSeconds;
  };
  video.addEventListener('loadedmetadata', seek, { once: true });
  let end = (): void => video.removeAttribute('src');
  let isOver = false;
  const begin = async (): Promise<void> => {
    const { default: Hls } = await import('hls.js/light');
    if (isOver) return;
    if (!Hls.isSupported()) {
      video.src = playlist;
      return;
    }
    // Its worker would be made of a blob: address, which the page's policy refuses.
    const hls = new Hls({ enableWorker: false, startPosition: startSeconds ?? -1 });
    hls.loadSource(playlist);
    hls.attachMedia(video);
    end = () => hls.destroy();
  };
  void begin();
  return () => {
    isOver = true;
    video.removeEventListener('loadedmetadata', seek);
    end();
  };
}
