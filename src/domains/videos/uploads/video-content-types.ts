/**
 * Types that an upload may be declared as: those of the formats that a transcode takes, by the names that
 * browsers and servers use. A list, as a browser runs what comes as `video/html` or `video/svg+xml` from a
 * bucket that adds no protection of its own.
 */
export const VIDEO_CONTENT_TYPES: ReadonlySet<string> = new Set([
  'video/mp4',
  'video/x-m4v',
  'video/quicktime',
  'video/webm',
  'video/x-matroska',
  'video/matroska',
  'video/mp2t',
  'video/mpeg',
  'video/ogg',
  'video/3gpp',
  'video/3gpp2',
  'video/x-msvideo',
  'video/avi',
  'video/vnd.avi',
  'video/x-flv',
  'video/x-ms-wmv',
  'video/x-ms-asf',
  'application/mxf',
  'application/octet-stream',
]);
