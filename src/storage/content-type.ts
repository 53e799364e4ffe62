const BY_EXTENSION: Readonly<Record<string, string>> = {
  '3gp': 'video/3gpp',
  avi: 'video/x-msvideo',
  flac: 'audio/flac',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  m3u8: 'application/vnd.apple.mpegurl',
  m4a: 'audio/mp4',
  m4v: 'video/mp4',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  mpeg: 'video/mpeg',
  mpg: 'video/mpeg',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  png: 'image/png',
  ts: 'video/mp2t',
  txt: 'text/plain; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  wav: 'audio/wav',
  webm: 'video/webm',
};

const UNKNOWN_CONTENT_TYPE = 'application/octet-stream';

/** The content type by a key's extension, or `application/octet-stream`. */
export function contentTypeOfKey(key: string): string {
  const dot = key.lastIndexOf('.');
  if (dot <= key.lastIndexOf('/')) return UNKNOWN_CONTENT_TYPE;
  const extension = key.slice(dot + 1).toLowerCase();
  return Object.hasOwn(BY_EXTENSION, extension)
    ? (BY_EXTENSION[extension] ?? UNKNOWN_CONTENT_TYPE)
    : UNKNOWN_CONTENT_TYPE;
}

/**
 * The type alone, for comparing: without parameters (`; codecs=…`) and in lower case, as neither
 * distinguishes types.
 */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}
