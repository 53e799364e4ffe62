import { type Calls, payloadOf, present } from './calls.ts';
import { MillraceError } from './error.ts';
import { CreateVideo, type CreateVideoInput, FindVideo, type Video } from './operations.gen.ts';
import type { ClientSettings } from './options.ts';
import { beginTusUpload, sendByTus } from './tus-upload.ts';

export interface UploadVideoOptions extends Omit<CreateVideoInput, 'sizeBytes' | 'title' | 'fileName'> {
  /** By default the file's name. */
  readonly title?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called at the beginning and as pieces arrive. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** The video, as soon as it exists: to be watched while its file still goes up. */
  readonly onCreated?: ((video: Video) => void) | undefined;
  /**
   * Where an upload under way is remembered, as `localStorage`: the same file goes on there after a reload of
   * the page. Without it an upload goes on after broken connections only.
   */
  readonly storage?: UploadStorage | undefined;
}

export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

export type UploadStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** What is remembered of an upload. */
interface Begun {
  readonly videoId: string;
  readonly url: string;
}

/**
 * A remembered upload is gone when it has expired or was replaced. A HEAD is answered without a
 * body, so by its status.
 */
const GONE = ['NOT_FOUND', 'INVALID_SIGNATURE', 'FORBIDDEN'];

/**
 * Creates a video and uploads its file in pieces. Its last byte enqueues the transcoding.
 * @param file a `File` of the user's, or any `Blob`
 * @returns the video
 * @throws MillraceError for what the server refuses; the signal's reason when that was aborted
 */
export async function uploadVideo(
  settings: ClientSettings,
  calls: Calls,
  file: Blob & { readonly name?: string; readonly lastModified?: number },
  { title, signal, onProgress, onCreated, storage, ...input }: UploadVideoOptions,
): Promise<Video> {
  const totalBytes = file.size;
  const key = `millrace-upload ${settings.httpUrl} ${file.name ?? ''} ${totalBytes} ${file.lastModified ?? 0}`;
  const send = async ({ videoId, url }: Begun): Promise<Video> => {
    await sendByTus(settings, url, file, {
      signal,
      onSent: (sentBytes) => onProgress?.({ sentBytes, totalBytes }),
    });
    storage?.removeItem(key);
    return await videoOf(calls, videoId, signal);
  };
  const remembered = begunOf(storage?.getItem(key) ?? null);
  if (remembered !== null) {
    try {
      onCreated?.(await videoOf(calls, remembered.videoId, signal));
      return await send(remembered);
    } catch (error) {
      if (!(error instanceof MillraceError && GONE.includes(error.code))) throw error;
      storage?.removeItem(key);
    }
  }
  const { createVideo } = await calls.run(
    CreateVideo,
    {
      input: {
        ...input,
        title: title ?? file.name ?? 'Untitled',
        fileName: file.name,
        contentType: input.contentType ?? (file.type.startsWith('video/') ? file.type : undefined),
        sizeBytes: String(totalBytes),
      },
    },
    { signal },
  );
  const { video: created, resumableUpload } = payloadOf(createVideo);
  const video = present(created);
  onCreated?.(video);
  const url = await beginTusUpload(settings, resumableUpload.url, totalBytes, signal);
  const begun: Begun = { videoId: video.id, url };
  storage?.setItem(key, JSON.stringify(begun));
  return await send(begun);
}

async function videoOf(calls: Calls, id: string, signal: AbortSignal | undefined): Promise<Video> {
  const { video } = await calls.run(FindVideo, { id }, { signal });
  if (video === null) throw new MillraceError('NOT_FOUND', `There is no video ${id}`);
  return video;
}

function begunOf(text: string | null): Begun | null {
  if (text === null) return null;
  try {
    const { videoId, url } = JSON.parse(text) as Partial<Begun>;
    return typeof videoId === 'string' && typeof url === 'string' ? { videoId, url } : null;
  } catch {
    return null;
  }
}
