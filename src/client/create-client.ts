import { Calls, found, payloadOf, present } from './calls.ts';
import type { MillraceClient } from './client.ts';
import { MillraceError } from './error.ts';
import { LiveWatch, type WatchContext } from './live-watch.ts';
import { OpenWatches } from './open-watches.ts';
import {
  CancelJob,
  EnqueueJob,
  FindJob,
  ImportVideo,
  JobArtifacts,
  ReplayJob,
  RequestClip,
  RetryJob,
  SearchVideos,
  StartBulkAction,
  StopBulkAction,
} from './operations.gen.ts';
import { type ClientSettings, type MillraceClientOptions, settingsOf } from './options.ts';
import { createSseTransport } from './sse-transport.ts';
import { Tokens } from './token.ts';
import { uploadVideo } from './upload-video.ts';
import { View } from './view.ts';
import {
  callsReducer,
  clipsReducer,
  jobsReducer,
  logReducer,
  nodeReducer,
  summaryReducer,
  videosReducer,
} from './views.ts';
import {
  bulkActionStreamSpec,
  callStreamSpec,
  clipStreamSpec,
  jobStreamSpec,
  videoStreamSpec,
} from './watch-job.ts';
import { jobsStreamSpec } from './watch-jobs.ts';
import { JobLogStreamSpec, summaryStreamSpec } from './watch-log.ts';
import { callsStreamSpec, clipsStreamSpec, videosStreamSpec } from './watch-media.ts';
import { createWsTransport } from './ws-transport.ts';

const MAX_ROWS = 10_000;
const MAX_LINES = 1_000;

/**
 * A client for browsers and Node. Nothing is connected before it is used.
 * @throws MillraceError `INVALID_ARGUMENT` for an address that is none
 */
export function createMillraceClient(options: MillraceClientOptions): MillraceClient {
  const settings = settingsOf(options);
  const tokens = new Tokens(options.token);
  const calls = new Calls(settings, tokens);
  const context = contextOf(options.transport, settings, tokens);

  const client: MillraceClient = {
    watchJobs: (filter = null, { after = null, ...rest } = {}) =>
      new LiveWatch(context, jobsStreamSpec(filter, after), rest),
    watchVideos: (filter = null, { after = null, ...rest } = {}) =>
      new LiveWatch(context, videosStreamSpec(filter, after), rest),
    watchClips: (filter = null, { after = null, ...rest } = {}) =>
      new LiveWatch(context, clipsStreamSpec(filter, after), rest),
    watchCalls: (filter = null, { after = null, ...rest } = {}) =>
      new LiveWatch(context, callsStreamSpec(filter, after), rest),
    watchJob: (id, { untilFinal = false, ...rest } = {}) =>
      new LiveWatch(context, jobStreamSpec(id, untilFinal), rest),
    watchVideo: (id, given) => new LiveWatch(context, videoStreamSpec(id), given),
    watchCall: (id, given) => new LiveWatch(context, callStreamSpec(id), given),
    watchClip: (id, { untilFinal = false, ...rest } = {}) =>
      new LiveWatch(context, clipStreamSpec(id, untilFinal), rest),
    watchBulkAction: (id, given) => new LiveWatch(context, bulkActionStreamSpec(id), given),
    watchJobLog: (id, { after = null, untilFinal = true, ...rest } = {}) =>
      new LiveWatch(context, new JobLogStreamSpec(id, after, untilFinal), rest),
    watchJobSummary: ({ sinceSeconds, ...rest } = {}) =>
      new LiveWatch(context, summaryStreamSpec(sinceSeconds), rest),
    viewJobs: (filter = null, { maxJobs = MAX_ROWS } = {}) =>
      View.over(jobsReducer(maxJobs), (given) => client.watchJobs(filter, given)),
    viewVideos: (filter = null, { maxVideos = MAX_ROWS } = {}) =>
      View.over(videosReducer(maxVideos), (given) => client.watchVideos(filter, given)),
    viewClips: (filter = null, { maxClips = MAX_ROWS } = {}) =>
      View.over(clipsReducer(maxClips), (given) => client.watchClips(filter, given)),
    viewCalls: (filter = null, { maxCalls = MAX_ROWS } = {}) =>
      View.over(callsReducer(maxCalls), (given) => client.watchCalls(filter, given)),
    viewJob: (id) => View.over(nodeReducer(), (given) => client.watchJob(id, given)),
    viewJobLog: (id, { maxLines = MAX_LINES, after = null } = {}) =>
      View.over(logReducer(maxLines), (given) =>
        client.watchJobLog(id, { ...given, after, untilFinal: false }),
      ),
    viewBulkAction: (id) => View.over(nodeReducer(), (given) => client.watchBulkAction(id, given)),
    viewVideo: (id) => View.over(nodeReducer(), (given) => client.watchVideo(id, given)),
    viewClip: (id) => View.over(nodeReducer(), (given) => client.watchClip(id, given)),
    viewCall: (id) => View.over(nodeReducer(), (given) => client.watchCall(id, given)),
    viewJobSummary: (options = {}) =>
      View.over(summaryReducer(), (given) => client.watchJobSummary({ ...options, ...given })),
    enqueue: async (input, given) => {
      const { enqueueJob } = await calls.run(EnqueueJob, { input }, given);
      const { job, isNew } = payloadOf(enqueueJob);
      return { job: present(job), isNew };
    },
    job: async (id, given) => (await calls.run(FindJob, { id }, given)).job,
    jobArtifacts: async (id, { kind, first, after, ...given } = {}) =>
      (await calls.run(JobArtifacts, { id, kind, first, after }, given)).job?.artifacts ?? null,
    cancelJob: async (id, { reason, ...given } = {}) => {
      const { cancelJob } = await calls.run(CancelJob, { input: { id, reason } }, given);
      const { job, isCancelRequested } = payloadOf(cancelJob);
      return { job: present(job), isCancelRequested };
    },
    retryJob: async (id, given) =>
      present(payloadOf((await calls.run(RetryJob, { input: { id } }, given)).retryJob).job),
    startBulkAction: async (input, given) =>
      present(payloadOf((await calls.run(StartBulkAction, { input }, given)).startBulkAction).bulkAction),
    stopBulkAction: async (id, given) => {
      payloadOf((await calls.run(StopBulkAction, { input: { id } }, given)).stopBulkAction);
    },
    replayJob: async (id, { payload, priority, scheduledFor, ...given } = {}) => {
      const input = { id, payload, priority, scheduledFor };
      return present(payloadOf((await calls.run(ReplayJob, { input }, given)).replayJob).job);
    },
    searchVideos: async (input, given) => found((await calls.run(SearchVideos, input, given)).searchVideos),
    requestClip: async (input, given) => {
      const { clip, isNew } = payloadOf((await calls.run(RequestClip, { input }, given)).requestClip);
      return { clip: present(clip), isNew };
    },
    importVideo: async (input, given) =>
      present(payloadOf((await calls.run(ImportVideo, { input }, given)).importVideo).video),
    uploadVideo: (file, given = {}) => uploadVideo(settings, calls, file, given),
    request: async <Data>(document: string, variables = {}, given = {}) =>
      (await calls.send({ text: document, variables }, given)) as Data,
    suspend: () => context.open.suspend(),
    resume: () => context.open.resume(),
    close: () => {
      context.open.close(new MillraceError('CLOSED', 'The client was closed'));
      context.transport.close();
    },
  };
  return client;
}

function contextOf(
  transport: MillraceClientOptions['transport'],
  settings: ClientSettings,
  tokens: Tokens,
): WatchContext {
  return {
    transport: (transport === 'sse' ? createSseTransport : createWsTransport)(settings, tokens),
    settings,
    hasFixedToken: tokens.isFixed,
    open: new OpenWatches(),
  };
}
