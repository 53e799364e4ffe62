'use client';

import { useCallback, useState } from 'react';
import type { MillraceError, UploadProgress, UploadVideoOptions, Video } from '../client/index.ts';
import { useMillrace } from './provider.ts';
import { useAction } from './use-action.ts';
import { useVideo } from './use-video.ts';

export interface UseUpload {
  /** Uploads a file. @returns its video; undefined when it was refused or canceled */
  readonly upload: (
    file: Blob,
    options?: Omit<UploadVideoOptions, 'signal' | 'onProgress' | 'onCreated'>,
  ) => Promise<Video | undefined>;
  /** The video, live, from its creation on: the work on it begins with the last byte. */
  readonly video: Video | null | undefined;
  /** Null before the first byte. */
  readonly progress: UploadProgress | null;
  readonly isPending: boolean;
  readonly error: MillraceError | null;
  /** Stops an upload under way, and forgets it. */
  readonly reset: () => void;
}

/** Uploads videos, one at a time, and follows the last one. */
export function useUpload(): UseUpload {
  const client = useMillrace();
  const { state, run, reset } = useAction<Video>();
  const [created, setCreated] = useState<Video | null>(null);
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const upload = useCallback<UseUpload['upload']>(
    (file, options) => {
      setCreated(null);
      setProgress(null);
      return run((signal) => {
        const ifCurrent =
          <Value>(set: (value: Value) => void) =>
          (value: Value): void => {
            if (!signal.aborted) set(value);
          };
        return client.uploadVideo(file, {
          ...options,
          signal,
          onCreated: ifCurrent(setCreated),
          onProgress: ifCurrent(setProgress),
        });
      });
    },
    [client, run],
  );
  const { video } = useVideo(created?.id);
  return {
    upload,
    video: video === undefined ? (created ?? undefined) : video,
    progress,
    isPending: state.isPending,
    error: state.error,
    reset: useCallback(() => {
      reset();
      setCreated(null);
      setProgress(null);
    }, [reset]),
  };
}
