export { textTrack } from './use-cases/text-track.ts';
