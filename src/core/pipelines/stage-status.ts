/** How far a stage of a pipeline is. `waiting`: its turn has not come. */
export const STAGE_STATUSES = ['waiting', 'queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export type StageStatus = (typeof STAGE_STATUSES)[number];
