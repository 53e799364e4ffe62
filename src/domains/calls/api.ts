export { CallType } from './graphql/call-ref.ts';
export { callLoader } from './graphql/loaders.ts';
export { foundCall } from './rest/found-call.ts';
export { findCallRecordingUpload } from './use-cases/accept-call-upload.ts';
