export { type ClipFieldNames, DEFAULT_PADDING_MS } from './use-cases/clip-range.ts';
export { clipUrl } from './use-cases/clip-url.ts';
export { type ClipRequest, requestClip } from './use-cases/request-clip.ts';
