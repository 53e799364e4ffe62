/**
 * Container formats that may be opened, by ffmpeg's demuxer names. Everything that can name other files or
 * addresses (concat scripts, HLS and DASH playlists, image sequences, SDP) is left out: such a script
 * uploaded as `video.mp4` would read files of the worker. Given to ffmpeg itself as `-format_whitelist`, so
 * that nothing else is even opened, and compared again with what ffprobe reports.
 */
export const VIDEO_FORMATS: readonly string[] = [
  'mov,mp4,m4a,3gp,3g2,mj2',
  'matroska,webm',
  'avi',
  'mpegts',
  'mpeg',
  'mpegvideo',
  'ogg',
  'flv',
  'asf',
  'mxf',
];

/** What calls are taken in: sound alone, and videos with sound. */
export const RECORDING_FORMATS: readonly string[] = [
  ...VIDEO_FORMATS,
  ...['wav', 'w64', 'mp3', 'flac', 'aac', 'amr', 'aiff', 'caf', 'au'],
];

/** The same for people. */
export const ALLOWED_RECORDINGS =
  'a recording in WAV, MP3, FLAC, AAC, M4A, AMR, AIFF, CAF, AU or Ogg, or a video with sound';

/** The formats of videos, for messages. */
export const ALLOWED_FILES =
  'a video in MP4, MOV, 3GP, WebM, Matroska, AVI, MPEG-TS, MPEG, Ogg, FLV, ASF or MXF';

/** The value of `-format_whitelist`. */
export function formatWhitelist(formats: readonly string[]): string {
  return formats.join(',');
}
