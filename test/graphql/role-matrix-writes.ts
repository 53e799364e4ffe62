import { ADMINS, OPERATORS, READERS, type RoleCell, type RoleRows, WORKERS } from './role-cell.ts';

const lease = ({ jobId }: RoleRows): string => `lease: { jobUuid: "${jobId}", runNo: 1, token: "${jobId}" }`;

/** What mutations are for whom. */
export const WRITES: Readonly<Record<string, RoleCell>> = {
  'Mutation.submitCall': {
    roles: READERS,
    document: () =>
      'mutation { submitCall(input: { recording: { upload: { fileName: "x.wav" } } }) { ... on DomainFailure { code } } }',
  },
  'Mutation.completeCallUpload': {
    roles: READERS,
    document: (rows) =>
      `mutation { completeCallUpload(input: { callId: "${rows.videoId}" }) { ... on DomainFailure { code } } }`,
  },
  // A member's own alone; what is not there answers everybody the same.
  'Mutation.deleteCall': {
    roles: READERS,
    document: (rows) =>
      `mutation { deleteCall(input: { id: "${rows.videoId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.enqueueJob': {
    roles: READERS,
    document: () =>
      'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) { ... on DomainFailure { code } } }',
  },
  'Mutation.enqueueJobs': {
    roles: READERS,
    document: () =>
      'mutation { enqueueJobs(input: { jobs: [{ definition: "echo", payload: { message: "x" } }] }) { ... on DomainFailure { code } } }',
  },
  'Mutation.cancelJob': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { cancelJob(input: { id: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.retryJob': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { retryJob(input: { id: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.replayJob': {
    roles: READERS,
    document: (rows) =>
      `mutation { replayJob(input: { id: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.cancelJobs': {
    roles: ADMINS,
    document: () =>
      'mutation { cancelJobs(input: { filter: { ids: [] } }) { ... on DomainFailure { code } } }',
  },
  'Mutation.retryJobs': {
    roles: ADMINS,
    document: () =>
      'mutation { retryJobs(input: { filter: { ids: [] } }) { ... on DomainFailure { code } } }',
  },
  'Mutation.startBulkAction': {
    roles: ADMINS,
    document: () =>
      'mutation { startBulkAction(input: { verb: CANCEL, filter: { ids: [] } }) { ... on DomainFailure { code } } }',
  },
  'Mutation.stopBulkAction': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { stopBulkAction(input: { id: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.updateJob': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { updateJob(input: { id: "${rows.jobId}", priority: 7 }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.redactJob': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { redactJob(input: { id: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.pauseJobDefinition': {
    roles: OPERATORS,
    document: () =>
      'mutation { pauseJobDefinition(input: { definition: "echo" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.resumeJobDefinition': {
    roles: OPERATORS,
    document: () =>
      'mutation { resumeJobDefinition(input: { definition: "echo" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.updateJobDefinition': {
    roles: OPERATORS,
    document: () =>
      'mutation { updateJobDefinition(input: { definition: "echo", maxRunning: null }) { ... on DomainFailure { code } } }',
  },
  'Mutation.submitLink': {
    roles: READERS,
    document: () => 'mutation { submitLink(input: { url: "" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.deleteLink': {
    roles: READERS,
    document: (rows) =>
      `mutation { deleteLink(input: { id: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.claimJobs': {
    roles: WORKERS,
    document: () =>
      'mutation { claimJobs(input: { worker: "w", jobTypes: ["echo"], waitSeconds: 0 }) { ... on DomainFailure { code } } }',
  },
  'Mutation.heartbeatJobs': {
    roles: WORKERS,
    document: (rows) =>
      `mutation { heartbeatJobs(input: { leases: [{ jobUuid: "${rows.jobId}", runNo: 1, token: "${rows.jobId}" }] }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.startJob': {
    roles: WORKERS,
    document: (rows) => `mutation { startJob(input: { ${lease(rows)}  }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.reportJobProgress': {
    roles: WORKERS,
    document: (rows) =>
      `mutation { reportJobProgress(input: { ${lease(rows)} percent: 1 }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.appendJobLog': {
    roles: WORKERS,
    document: (rows) =>
      `mutation { appendJobLog(input: { ${lease(rows)} lines: [{ message: "a" }] }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.completeJob': {
    roles: WORKERS,
    document: (rows) =>
      `mutation { completeJob(input: { ${lease(rows)}  }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.failJob': {
    roles: WORKERS,
    document: (rows) =>
      `mutation { failJob(input: { ${lease(rows)} message: "a" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.snoozeJob': {
    roles: WORKERS,
    document: (rows) =>
      `mutation { snoozeJob(input: { ${lease(rows)} delaySeconds: 1 }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.releaseJob': {
    roles: WORKERS,
    document: (rows) =>
      `mutation { releaseJob(input: { ${lease(rows)}  }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.signJobFiles': {
    roles: WORKERS,
    document: (rows) =>
      `mutation { signJobFiles(input: { ${lease(rows)}  }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.createJobUpload': {
    roles: WORKERS,
    document: (rows) =>
      `mutation { createJobUpload(input: { ${lease(rows)} name: "a" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.createWebhookEndpoint': {
    roles: ADMINS,
    document: () =>
      'mutation { createWebhookEndpoint(input: { label: "x", url: "ftp://x" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.createWebhookSource': {
    roles: ADMINS,
    document: () =>
      'mutation { createWebhookSource(input: { label: "x", eventName: "no name", verification: TOKEN }) { ... on DomainFailure { code } } }',
  },
  'Mutation.updateWebhookEndpoint': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { updateWebhookEndpoint(input: { uuid: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.deleteWebhookEndpoint': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { deleteWebhookEndpoint(input: { uuid: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.rotateWebhookEndpointSecret': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { rotateWebhookEndpointSecret(input: { uuid: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.redeliverWebhook': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { redeliverWebhook(input: { uuid: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.updateWebhookSource': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { updateWebhookSource(input: { uuid: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.deleteWebhookSource': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { deleteWebhookSource(input: { uuid: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.rotateWebhookSourceSecret': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { rotateWebhookSourceSecret(input: { uuid: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.emitEvent': {
    roles: READERS,
    document: () => 'mutation { emitEvent(input: { name: "a.b" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.createTrigger': {
    roles: ADMINS,
    document: () =>
      'mutation { createTrigger(input: { label: "t", definition: "echo", eventName: "no.such" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.updateTrigger': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { updateTrigger(input: { id: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.deleteTrigger': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { deleteTrigger(input: { id: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.runScheduleNow': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { runScheduleNow(input: { id: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.createTenant': {
    roles: OPERATORS,
    document: () =>
      'mutation { createTenant(input: { slug: "made-here" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.deleteTenant': {
    roles: OPERATORS,
    document: (rows) =>
      `mutation { deleteTenant(input: { id: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.archiveJobDefinition': {
    roles: OPERATORS,
    document: () =>
      'mutation { archiveJobDefinition(input: { definition: "echo" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.restoreJobDefinition': {
    roles: OPERATORS,
    document: () =>
      'mutation { restoreJobDefinition(input: { definition: "echo" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.createJobDefinition': {
    roles: OPERATORS,
    document: () =>
      'mutation { createJobDefinition(input: { key: "made-here" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.pauseTenant': {
    roles: ADMINS,
    document: () => 'mutation { pauseTenant(input: {}) { ... on DomainFailure { code } } }',
  },
  'Mutation.resumeTenant': {
    roles: ADMINS,
    document: () => 'mutation { resumeTenant(input: {}) { ... on DomainFailure { code } } }',
  },
  'Mutation.updateTenant': {
    roles: ADMINS,
    document: () => 'mutation { updateTenant(input: { name: "T" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.setLaneLimit': {
    roles: OPERATORS,
    document: () =>
      'mutation { setLaneLimit(input: { definition: "echo", maxRunning: 3 }) { ... on DomainFailure { code } } }',
  },
  'Mutation.removeLaneLimit': {
    roles: OPERATORS,
    document: () =>
      'mutation { removeLaneLimit(input: { definition: "echo" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.createAccessToken': {
    roles: READERS,
    document: () =>
      'mutation { createAccessToken(input: { ownJobs: true }) { ... on DomainFailure { code } } }',
  },
  'Mutation.revokeAccessToken': {
    roles: READERS,
    document: () => 'mutation { revokeAccessToken(input: { jti: "x" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.createApiKey': {
    roles: ADMINS,
    document: () =>
      'mutation { createApiKey(input: { name: "k", role: WORKER }) { ... on DomainFailure { code } } }',
  },
  'Mutation.revokeApiKey': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { revokeApiKey(input: { id: "${rows.jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.revokeTokens': {
    roles: ADMINS,
    document: () =>
      'mutation { revokeTokens(input: { subject: "nobody" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.setMember': {
    roles: ADMINS,
    // Refused after the role was asked: the tenant's list stays empty.
    document: () =>
      'mutation { setMember(input: { subject: "x", role: WORKER }) { ... on DomainFailure { code } } }',
  },
  'Mutation.removeMember': {
    roles: ADMINS,
    document: () =>
      'mutation { removeMember(input: { subject: "nobody" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.createVideo': {
    roles: ADMINS,
    document: () => 'mutation { createVideo(input: { title: "x" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.completeVideoUpload': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { completeVideoUpload(input: { videoId: "${rows.videoId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.importVideo': {
    roles: ADMINS,
    document: () =>
      `mutation { importVideo(input: { url: "https://example.com/a.mp4" }) { ... on DomainFailure { code } } }`,
  },
  // The tenant's admin too, since the tenant is the one that takes what has no video.
  'Mutation.registerVideo': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { registerVideo(input: { key: "videos/original/${rows.videoId}/master.mp4" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.requestClip': {
    roles: READERS,
    document: (rows) =>
      `mutation { requestClip(input: { videoId: "${rows.videoId}", startMs: 0, endMs: 1 }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.updateVideo': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { updateVideo(input: { id: "${rows.videoId}", title: "w" }) { ... on DomainFailure { code } } }`,
  },
  // What is gone answers an admin as not there.
  'Mutation.deleteVideo': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { deleteVideo(input: { id: "${rows.canceled.videoId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.deleteClip': {
    roles: ADMINS,
    document: (rows) =>
      `mutation { deleteClip(input: { id: "${rows.canceled.clipId}" }) { ... on DomainFailure { code } } }`,
  },
};
