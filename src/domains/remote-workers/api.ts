export { holdRoomForJobFile, storedJobFile } from './files/job-file-room.ts';
export { checkRunGoesOn } from './use-cases/check-run-goes-on.ts';
export { type JobFileRun, runOfJobFile } from './use-cases/job-file-key.ts';
