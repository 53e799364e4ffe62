/**
 * Environment of ffmpeg and ffprobe. The static builds from npm crash (SIGSEGV) on every MPEG transport
 * stream otherwise: to convert a channel's name their glibc loads the system's conversion modules, which
 * belong to another glibc. With a path that leads nowhere they do without; names of channels are nothing we
 * read.
 */
export const MEDIA_ENVIRONMENT: Readonly<Record<string, string>> = { GCONV_PATH: '/nonexistent' };
