// Written by `npm run client` from operations.graphql and schema.graphql.
import type { Operation } from './operation.ts';

/** Where a bulk action stands. */
export type BulkActionStatus = 'FAILED' | 'RUNNING' | 'STOPPED' | 'SUCCEEDED';

/** What is done to many jobs. */
export type BulkVerb = 'CANCEL' | 'RETRY';

/** A stage of a call, in the order in which they run. */
export type CallStage = 'ANALYZE' | 'EXTRACT_AUDIO' | 'TRANSCRIBE_POLL' | 'TRANSCRIBE_START';

/** Where a call stands. */
export type CallStatus = 'ANALYZING' | 'AWAITING_UPLOAD' | 'FAILED' | 'QUEUED' | 'READY' | 'TRANSCRIBING';

/** Where a clip stands. */
export type ClipStatus = 'EXPIRED' | 'FAILED' | 'QUEUED' | 'READY' | 'RUNNING';

/** What is wrong, for programs. Each code is that of one type: `NOT_FOUND` of `NotFoundError`. */
export type DomainFailureCode = 'ACTIVE_DUPLICATE' | 'ALREADY_EXISTS' | 'BUSY' | 'DEDUPE_BUSY' | 'DEFINITION_INACTIVE' | 'FORBIDDEN' | 'INVALID_ARGUMENT' | 'INVALID_PAYLOAD' | 'LOST_LEASE' | 'NOT_FOUND' | 'OBJECT_NOT_FOUND' | 'OBJECT_TOO_LARGE' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'STILL_RUNNING' | 'UNKNOWN_DEFINITION' | 'WRONG_STATE';

/** What may be recognised in a text, numbers by what they count. */
export type EntityKind = 'COUNT' | 'EMOJI' | 'HASHTAG' | 'MENTION' | 'PERCENT' | 'PHONE' | 'PRICE' | 'URL';

/** What a job does when one that it waits for fails or is canceled. */
export type JobDependencyPolicy = 'CANCEL' | 'RUN' | 'SKIP';

/** How much a line of a job’s log matters. */
export type JobLogLevel = 'DEBUG' | 'ERROR' | 'INFO' | 'WARN';

/** What asked for a job. */
export type JobSource = 'EVENT' | 'MANUAL' | 'SCHEDULE' | 'SYSTEM';

/** Where a job stands. */
export type JobStatus = 'CANCELED' | 'DEAD_LETTER' | 'FAILED' | 'QUEUED' | 'RUNNING' | 'SUCCEEDED';

/** Why a cursor is of no use any more. */
export type ResyncReason = 'OTHER_SERVER' | 'TOO_MANY' | 'TOO_OLD';

/** Why a job of a selection was left as it is. */
export type SkipReason = 'ACTIVE_DUPLICATE' | 'ASKED_BEFORE' | 'BUSY' | 'CHANGED' | 'ENDED' | 'GONE' | 'QUEUED' | 'STILL_RUNNING' | 'SUCCEEDED';

/** Where a stage stands. */
export type StageStatus = 'CANCELED' | 'FAILED' | 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'WAITING';

/** A stage of a video’s pipeline, in the order in which they run. */
export type VideoStage = 'OCR' | 'SAMPLE' | 'SEGMENT_INDEX' | 'TRANSCODE';

/** Where a video stands. */
export type VideoStatus = 'AWAITING_UPLOAD' | 'FAILED' | 'PROCESSING' | 'READY' | 'TRANSCODED' | 'UPLOADED';

/** Which jobs to watch, and how much of the past to begin with. Of the conditions of JobFilter it has all but two: `payloadContains`, since the stream carries no payloads, and `due`, which a job becomes without any change of it. */
export interface JobChangesFilter {
  /** With this correlation id. */
  readonly correlationId?: string | null | undefined;
  /** Enqueued at or after. */
  readonly createdAfter?: string | null | undefined;
  /** Enqueued before. */
  readonly createdBefore?: string | null | undefined;
  /** Enqueued by: `user:<sub>`, `key:<id>`, `system`. */
  readonly createdBy?: string | null | undefined;
  /** Enqueued by the caller; in place of `createdBy`. False, as omitting it, restricts nothing. */
  readonly createdByMe?: boolean | null | undefined;
  /** Keys of definitions, one of them. */
  readonly definitions?: readonly (string)[] | null | undefined;
  /** Whose last run failed with an error of one of these types (`error.type`), at most 100; a job that fails otherwise, or is retried with success, is sent as JobLeft. */
  readonly errorTypes?: readonly (string)[] | null | undefined;
  /** Ended at or after; none that has not ended. A job that is put back into the queue is sent as JobLeft. */
  readonly finishedAfter?: string | null | undefined;
  /** Ended before; none that has not ended. */
  readonly finishedBefore?: string | null | undefined;
  /** These jobs, at most 1000. */
  readonly ids?: readonly (string)[] | null | undefined;
  /** Jobs of the initial state, 1 to 10000; 1000 by default. */
  readonly initialLimit?: number | null | undefined;
  /** With at least N runs that ended in an error, a timeout or a lost lease, from 1; a job that is retried, with none, is sent as JobLeft. */
  readonly minAttemptCount?: number | null | undefined;
  /** Finished jobs of the initial state: of the last N seconds, 0 to 604800; 3600 by default, with `finishedAfter` as far back as that. */
  readonly sinceSeconds?: number | null | undefined;
  /** Asked for by one of these. */
  readonly sources?: readonly (JobSource)[] | null | undefined;
  /** One of these; a job that leaves them is sent as JobLeft. */
  readonly statuses?: readonly (JobStatus)[] | null | undefined;
  /** About this. */
  readonly subject?: JobSubjectInput | null | undefined;
  /** With at least one of these tags; a job that loses them is sent as JobLeft. */
  readonly tags?: readonly (string)[] | null | undefined;
  /** With this text in the type or the first 500 characters of the message of the error of its last run, in the correlation id, in the subject or in a tag, in whatever case; 1 to 200 characters. Payloads are not looked at. A job that loses it is sent as JobLeft. */
  readonly text?: string | null | undefined;
}

/** Which videos to watch, and how many to begin with. */
export interface VideoChangesFilter {
  /** Made by: `user:<sub>`, `key:<id>`. */
  readonly createdBy?: string | null | undefined;
  /** Made by the caller; in place of `createdBy`. False, like omitting it, restricts nothing. */
  readonly createdByMe?: boolean | null | undefined;
  /** Videos of the initial state, 1 to 10000; 1000 by default. */
  readonly initialLimit?: number | null | undefined;
  /** One of these; a video that leaves them is sent as VideoLeft. */
  readonly statuses?: readonly (VideoStatus)[] | null | undefined;
}

/** Which clips to watch, and how many to begin with. */
export interface ClipChangesFilter {
  /** Clips of this call instead of a video, by its global id or its UUID. */
  readonly callId?: string | null | undefined;
  /** Made by: `user:<sub>`, `key:<id>`. */
  readonly createdBy?: string | null | undefined;
  /** Made by the caller; in place of `createdBy`. False, like omitting it, restricts nothing. */
  readonly createdByMe?: boolean | null | undefined;
  /** Clips of the initial state, 1 to 10000; 1000 by default. */
  readonly initialLimit?: number | null | undefined;
  /** One of these; a clip that leaves them is sent as ClipLeft. QUEUED and RUNNING are one here, and stand for both. */
  readonly statuses?: readonly (ClipStatus)[] | null | undefined;
  /** Clips of this video, by its global id or its UUID. */
  readonly videoId?: string | null | undefined;
}

/** What to do, and when. */
export interface EnqueueJobInput {
  /** Ties jobs together; 1 to 255 characters. */
  readonly correlationId?: string | null | undefined;
  /** With an active job of the same key, that job is returned instead of a new one. */
  readonly dedupeKey?: string | null | undefined;
  /** With a dedupe key, 1 to 31536000: a job with the key that was enqueued within this time is returned too, whatever became of it. */
  readonly dedupeWindowSeconds?: number | null | undefined;
  /** Key of the job definition: `echo`. */
  readonly definition: string;
  /** Jobs that must end first, at most 100. */
  readonly dependsOn?: readonly (JobDependencyInput)[] | null | undefined;
  /** Canceled with the reason `expired` when it has not begun by then. */
  readonly expiresAt?: string | null | undefined;
  /** Runs in all, 1 to 1000; the definition’s by default. */
  readonly maxAttempts?: number | null | undefined;
  /** Notes of your own: an object of at most 4096 bytes of JSON. Neither its handler nor jobs that it leads to get it. */
  readonly metadata?: unknown | null | undefined;
  /** Checked against the definition’s JSON Schema; at most 1 MiB unless configured otherwise. */
  readonly payload?: unknown | null | undefined;
  /** 0 to 1000000; lower runs first. 100 by default. */
  readonly priority?: number | null | undefined;
  /** Not to be run before; now by default. */
  readonly scheduledFor?: string | null | undefined;
  /** What it is about. */
  readonly subject?: JobSubjectInput | null | undefined;
  /** To find and group it by: at most 20, each of 1 to 64 characters. Jobs that it leads to do not get them. */
  readonly tags?: readonly (string)[] | null | undefined;
  /** How long a run may take, 1 to 604800; the definition’s by default. */
  readonly timeoutSeconds?: number | null | undefined;
}

/** Which job to cancel. */
export interface CancelJobInput {
  /** Its global id, or its UUID. */
  readonly id: string;
  /** Why, in words; kept on the job. 1 to 1000 characters. */
  readonly reason?: string | null | undefined;
}

/** Which job to retry. */
export interface RetryJobInput {
  /** Its global id, or its UUID. */
  readonly id: string;
}

/** Which ended job to replay, and with what. */
export interface ReplayJobInput {
  /** Its global id, or its UUID. */
  readonly id: string;
  /** In place of its payload, checked as one of `enqueueJob`; the same by default. */
  readonly payload?: unknown | null | undefined;
  /** 0 to 1000000; the same by default. */
  readonly priority?: number | null | undefined;
  /** Not to be run before; now by default. */
  readonly scheduledFor?: string | null | undefined;
}

/** A range of a video or of a call, in milliseconds from its start. */
export interface RequestClipInput {
  /** In its place, the call’s global id, or its UUID: the clip is of its sound. */
  readonly callId?: string | null | undefined;
  /** Where it ends. A clip that would go on after the video or call ends with it. */
  readonly endMs: number;
  /** Added at either side, as far as the video or call reaches; 0 to 60000. */
  readonly paddingMs?: number;
  /** Where the range begins: before the end of the video or call. */
  readonly startMs: number;
  /** The video’s global id, or its UUID. */
  readonly videoId?: string | null | undefined;
}

/** Which texts. Conditions are joined by "and", the values of one list by "or", at most 100 of them; an absent one takes all. */
export interface SearchFilter {
  /** Only videos created at or after this time. */
  readonly createdAfter?: string | null | undefined;
  /** Only videos created before this time. */
  readonly createdBefore?: string | null | undefined;
  /** With an address of one of these: `example.com` takes shop.example.com, too. */
  readonly domains?: readonly (string)[] | null | undefined;
  /** Shown at or before this time in the video. */
  readonly endMs?: number | null | undefined;
  /** With one of these: `tag` or `#tag`. */
  readonly hashtags?: readonly (string)[] | null | undefined;
  /** With something of one of these kinds in them, whatever it says. */
  readonly kinds?: readonly (EntityKind)[] | null | undefined;
  /** In one of these languages, as Tesseract names them: `eng`. */
  readonly languages?: readonly (string)[] | null | undefined;
  /** With one of these handles: `name` or `@name`. */
  readonly mentions?: readonly (string)[] | null | undefined;
  /** With a price in this range. */
  readonly price?: PriceRangeInput | null | undefined;
  /** Shown at or after this time in the video. */
  readonly startMs?: number | null | undefined;
  /** In one of these videos: global ids or UUIDs. */
  readonly videoIds?: readonly (string)[] | null | undefined;
}

/** Which calls to watch, and how many to begin with. */
export interface CallChangesFilter {
  /** Made by: `user:<sub>`, `key:<id>`. */
  readonly createdBy?: string | null | undefined;
  /** Made by the caller; in place of `createdBy`. False, like omitting it, restricts nothing. */
  readonly createdByMe?: boolean | null | undefined;
  /** Calls of the initial state, 1 to 10000; 1000 by default. */
  readonly initialLimit?: number | null | undefined;
  /** One of these; a call that leaves them is sent as CallLeft. */
  readonly statuses?: readonly (CallStatus)[] | null | undefined;
}

/** The video that is going to be uploaded. */
export interface CreateVideoInput {
  /** `video/mp4`, `video/x-m4v`, `video/quicktime`, `video/webm`, `video/x-matroska`, `video/matroska`, `video/mp2t`, `video/mpeg`, `video/ogg`, `video/3gpp`, `video/3gpp2`, `video/x-msvideo`, `video/avi`, `video/vnd.avi`, `video/x-flv`, `video/x-ms-wmv`, `video/x-ms-asf`, `application/mxf`, `application/octet-stream`. When given, the upload must be sent with this type. */
  readonly contentType?: string | null | undefined;
  /** Name of the file; only its extension is used. */
  readonly fileName?: string | null | undefined;
  /** Languages of the texts in its pictures, by Tesseract’s names (`eng`, `deu`, `chi_sim`), 1 to 10; by default those of the configuration. */
  readonly languages?: readonly (string)[] | null | undefined;
  /** How its pictures are looked at and its texts read. */
  readonly processing?: VideoProcessingInput | null | undefined;
  /** Its size, to be refused before the upload and not after; then also the most that the upload takes, and into a bucket its exact size. */
  readonly sizeBytes?: string | null | undefined;
  /** Whose team’s it is: a key of your own, 1 to 255 characters. */
  readonly team?: string | null | undefined;
  /** 1 to 500 characters. */
  readonly title: string;
}

/** What to do to which jobs. Without `ids` and `statuses`: those to which it can be done. */
export interface StartBulkActionInput {
  /** At least one condition. */
  readonly filter: JobFilter;
  /** For a cancel: the reason in words, kept on the jobs. 1 to 1000 characters. */
  readonly reason?: string | null | undefined;
  /** For a retry: the jobs become ready at random times within N seconds, 0 to 86400; 0 by default. */
  readonly spreadSeconds?: number | null | undefined;
  /** What to do. */
  readonly verb: BulkVerb;
}

/** Which bulk action to stop. */
export interface StopBulkActionInput {
  /** Its global id, or its UUID. */
  readonly id: string;
}

/** A video that lies at a public address. */
export interface ImportVideoInput {
  /** As in `CreateVideoInput`. */
  readonly languages?: readonly (string)[] | null | undefined;
  /** As in `CreateVideoInput`. */
  readonly processing?: VideoProcessingInput | null | undefined;
  /** As in `CreateVideoInput`. */
  readonly team?: string | null | undefined;
  /** 1 to 500 characters; by default the file’s name. */
  readonly title?: string | null | undefined;
  /** The file’s own URL, `http://` or `https://`. It is shown to nobody afterwards: links to files are often signed. */
  readonly url: string;
}

/** What a job is about. */
export interface JobSubjectInput {
  /** Its key: 1 to 255 characters. Of a video its global id or its UUID. */
  readonly key: string;
  /** Kind of thing: `video`, or one of your own. */
  readonly type: string;
}

/** A job that must end first. */
export interface JobDependencyInput {
  /** Its global id or its UUID. */
  readonly jobId: string;
  /** What to do when it does not succeed; `CANCEL` by default. */
  readonly policy?: JobDependencyPolicy | null | undefined;
}

/** Prices from the one to the other, both included. */
export interface PriceRangeInput {
  /** In this currency (ISO 4217: `EUR`); any where it is absent. */
  readonly currency?: string | null | undefined;
  /** At most. */
  readonly max?: number | null | undefined;
  /** At least. */
  readonly min?: number | null | undefined;
}

/** How the pictures of a video are looked at and its texts read; what is absent is as the installation says. */
export interface VideoProcessingInput {
  /** Pictures that are as similar as this to one that is kept are left out: 0 to 1. */
  readonly dedupeThreshold?: number | null | undefined;
  /** Pictures of each minute that are kept at most: 1 to 3600. */
  readonly maxFramesPerMinute?: number | null | undefined;
  /** Words read with less confidence are left out: 0 to 1. */
  readonly minConfidence?: number | null | undefined;
  /** Pictures a second that are looked at: 0.1 to 60. */
  readonly targetFps?: number | null | undefined;
}

/** Which jobs. Conditions are joined by "and"; what is omitted does not matter. */
export interface JobFilter {
  /** With this correlation id. */
  readonly correlationId?: string | null | undefined;
  /** Enqueued at or after. */
  readonly createdAfter?: string | null | undefined;
  /** Enqueued before. */
  readonly createdBefore?: string | null | undefined;
  /** Enqueued by: `user:<sub>`, `key:<id>`, `system`. */
  readonly createdBy?: string | null | undefined;
  /** Enqueued by the caller; in place of `createdBy`. False, as leaving it out, restricts nothing. */
  readonly createdByMe?: boolean | null | undefined;
  /** Keys of definitions, one of them. */
  readonly definitions?: readonly (string)[] | null | undefined;
  /** True: only jobs that are due, that is queued ones that wait for no other job and whose `scheduledFor` has come, whether or not a limit or a pause holds them (see `waitingFor`). False: only all others. */
  readonly due?: boolean | null | undefined;
  /** Whose last run failed with an error of one of these types (`error.type`), at most 100. */
  readonly errorTypes?: readonly (string)[] | null | undefined;
  /** Ended at or after; none that has not ended. */
  readonly finishedAfter?: string | null | undefined;
  /** Ended before; none that has not ended. */
  readonly finishedBefore?: string | null | undefined;
  /** One of these, at most 1000: global ids or UUIDs. */
  readonly ids?: readonly (string)[] | null | undefined;
  /** With at least N runs that ended in an error, a timeout or a lost lease; from 1. */
  readonly minAttemptCount?: number | null | undefined;
  /** Whose payload has these fields with these values: an object, at most 4,000 characters; `{"order": {"id": 7}}` finds it whatever else the payload has, an item of a list at any place in it. There is no index on payloads: a page looks at a bounded number of jobs (see `isPartial`), so join it with other conditions. Secret fields are not searched: names of secrets are refused, and jobs of a definition that marks one of the fields as secret are not found. */
  readonly payloadContains?: unknown | null | undefined;
  /** Asked for by one of these. */
  readonly sources?: readonly (JobSource)[] | null | undefined;
  /** One of these. */
  readonly statuses?: readonly (JobStatus)[] | null | undefined;
  /** About this. */
  readonly subject?: JobSubjectInput | null | undefined;
  /** With at least one of these tags. */
  readonly tags?: readonly (string)[] | null | undefined;
  /** With this text in the type or the first 500 characters of the message of the error of its last run, in the correlation id, in the subject or in a tag, in whatever case; 1 to 200 characters. Payloads are not looked at. */
  readonly text?: string | null | undefined;
}

/** How far a run is, as its handler last said. */
export type JobProgress = {
  /** 0 to 100; null while the length of the work is unknown. */
  readonly percent: number | null;
  /** What it is at: `probe`, `transcode` … */
  readonly stage: string | null;
  /** The handler’s own words. */
  readonly message: string | null;
  /** Seconds that it still needed at `updatedAt`: its handler’s own estimate, else computed from how fast the percent grew. */
  readonly etaSeconds: number | null;
  /** What there is to see already, where the handler has published something. */
  readonly preview: {
    /** Where it is. */
    readonly url: string;
    /** Until when the URL is good. */
    readonly expiresAt: string;
  } | null;
  /** Which run of the job says so. */
  readonly runNo: number;
  /** When it said so. */
  readonly updatedAt: string;
};

/** Why a run failed. */
export type JobError = {
  /** Class of the error: `S3ObjectNotFound`, `TimedOut` … */
  readonly type: string;
  /** What went wrong. */
  readonly message: string;
  /** When it went wrong. */
  readonly failedAt: string | null;
  /** Runs that had ended in an error before this one. */
  readonly retryCount: number;
};

/** One piece of work: what to do, where it stands, and what came of it. */
export type Job = {
  /** Global id. */
  readonly id: string;
  /** The plain key, as SQL, logs and object names have it. */
  readonly uuid: string;
  /** Grows with each change; a stream never shows a lower one after a higher. */
  readonly version: string;
  /** Current status. */
  readonly status: JobStatus;
  /** Whether it has ended; only an operator’s retry moves it again. */
  readonly isFinal: boolean;
  /** What kind of job it is. */
  readonly definition: {
    /** Its name: `transcode`. */
    readonly key: string;
  };
  /** What it is about. */
  readonly subject: {
    /** Kind of thing: `video`. */
    readonly type: string;
    /** Its key within that type: the UUID of a video, or a key of your own. */
    readonly key: string;
  } | null;
  /** Ties jobs together. */
  readonly correlationId: string | null;
  /** What it is found and grouped by. */
  readonly tags: readonly (string)[];
  /** An object with notes of the caller that enqueued it; null without any. */
  readonly metadata: unknown | null;
  /** Who enqueued it: `user:<sub>`, `key:<id>` or `system`. */
  readonly createdBy: string | null;
  /** Lower runs first; 100 by default. */
  readonly priority: number;
  /** Runs that ended in an error, a timeout or a lost lease. */
  readonly attemptCount: number;
  /** Runs in all before it goes to DEAD_LETTER. */
  readonly maxAttempts: number;
  /** How often it was claimed; never goes back. */
  readonly runNo: number;
  /** Jobs that it waits for and that have not ended. */
  readonly pendingDependencyCount: number;
  /** Whether somebody asked to cancel it. While it runs, its worker is about to stop it. */
  readonly isCancelRequested: boolean;
  /** Why it was skipped, canceled or put off, in words. */
  readonly reason: string | null;
  /** How far its last run is or was; null when that run said nothing. */
  readonly progress: JobProgress | null;
  /** Why its last run failed, where it did. */
  readonly error: JobError | null;
  /** When it was enqueued. */
  readonly createdAt: string;
  /** When it last came into the queue. */
  readonly queuedAt: string;
  /** Not to be run before. */
  readonly scheduledFor: string;
  /** When its handler last started. */
  readonly startedAt: string | null;
  /** When it ended. */
  readonly finishedAt: string | null;
};

/** One piece of work: what to do, where it stands, and what came of it. */
export type JobDetails = Job & {
  /** What it was given; secret fields are shown as •••, to everybody. */
  readonly payload: unknown | null;
  /** What its handler returned; fields with names of secrets are shown as •••. */
  readonly result: unknown | null;
};

/** A video and what was made of it. */
export type Video = {
  /** Global id. */
  readonly id: string;
  /** The plain key, as SQL, logs and object names have it. */
  readonly uuid: string;
  /** Grows with each change of the row. */
  readonly version: string;
  /** Its title. */
  readonly title: string;
  /** Current status. */
  readonly status: VideoStatus;
  /** Why a stage failed, where one did. */
  readonly error: {
    /** What went wrong. */
    readonly message: string;
  } | null;
  /** Its length. */
  readonly durationMs: number | null;
  /** Width as displayed. */
  readonly widthPx: number | null;
  /** Height as displayed. */
  readonly heightPx: number | null;
  /** Progress of the newest of its stages’ jobs that runs; null when none does, or it said nothing yet. `pipeline` has all stages. */
  readonly progress: JobProgress | null;
  /** Its way from upload to ready; `videoChanged` reports every step. Null while nothing has been enqueued, and once its jobs are deleted. */
  readonly pipeline: ({
    /** 0 to 100, of the whole way. */
    readonly percent: number;
    /** Seconds until the video is ready, by how fast it went so far; null before that can be said, and at the end. */
    readonly etaSeconds: number | null;
    /** What it is at; null before its upload and at the end. */
    readonly stage: VideoStage | null;
    /** All stages, in their order. */
    readonly stages: readonly (({
      /** Which. */
      readonly stage: VideoStage;
      /** Current status. */
      readonly status: StageStatus;
      /** 0 to 100; null while the length of the work is unknown. */
      readonly percent: number | null;
      /** Seconds that it still needs; null where nobody can know, and when it is not running. */
      readonly etaSeconds: number | null;
    }))[];
  }) | null;
  /** Where its files are. */
  readonly urls: ({
    /** The file as uploaded. */
    readonly original: string | null;
    /** HLS playlist; what it names is reached by the relative names in it. While the first stream is being made, one that grows (type EVENT): it can be played from its beginning, and goes on to the end. */
    readonly playlist: string | null;
    /** Still picture, JPEG. */
    readonly poster: string | null;
    /** Until when to open them. */
    readonly expiresAt: string;
  });
  /** When it was made. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
};

/** A line that the handler of a job wrote into its log. */
export type JobLogLine = {
  /** Go on after this line with `after`. */
  readonly cursor: string;
  /** Which run of the job wrote it. */
  readonly runNo: number;
  /** Its number in that run, from 1 and without gaps. */
  readonly lineNo: number;
  /** When it was written. */
  readonly loggedAt: string;
  /** How much it matters. */
  readonly level: JobLogLevel;
  /** What it says. */
  readonly message: string;
  /** Values that belong to it. */
  readonly data: unknown | null;
};

/** How many jobs stand where. */
export type JobStatusCounts = {
  /** Queued, for now or for later. */
  readonly queued: number;
  /** Running. */
  readonly running: number;
  /** Succeeded within the window. */
  readonly succeeded: number;
  /** Failed within the window. */
  readonly failed: number;
  /** Canceled within the window. */
  readonly canceled: number;
  /** Dead-lettered within the window. */
  readonly deadLetter: number;
};

/** How many jobs of the tenant stand where: all that are queued or running, and those that ended within a window of time. */
export type JobSummary = {
  /** When this was so. */
  readonly countedAt: string;
  /** False when a million or more are queued or running: those counts then say how many there are at least. */
  readonly isComplete: boolean;
  /** All jobs. */
  readonly counts: JobStatusCounts;
  /** The same by definition, in the order of keys; those without any job are omitted. */
  readonly definitions: readonly (({
    /** Key of the definition. */
    readonly definitionKey: string;
    /** Its jobs. */
    readonly counts: JobStatusCounts;
    /** Since when the oldest of its queued jobs could have run that no worker has taken; null when none waits for a worker. */
    readonly oldestQueuedAt: string | null;
  }))[];
  /** The window that was asked for. */
  readonly sinceSeconds: number;
  /** All jobs that ended from this time on are counted: the start of the window, or later where it holds 100,000 of them or more. */
  readonly finishedAfter: string;
  /** Since when the oldest queued job could have run that no worker has taken; null when none waits for a worker. */
  readonly oldestQueuedAt: string | null;
  /** How long that was when it was counted. */
  readonly oldestQueuedSeconds: number | null;
};

/** A file that a job made: a picture, a stream, a clip, a transcript. */
export type JobArtifact = {
  /** Global id. */
  readonly id: string;
  /** Its file name. */
  readonly name: string;
  /** What it is, as its handler says: `poster`, `hls_playlist`, `clip`. */
  readonly kind: string;
  /** The same in words, where its domain says them; the kind otherwise. */
  readonly label: string;
  /** Its media type: `image/jpeg`, `application/vnd.apple.mpegurl` for a stream. */
  readonly contentType: string;
  /** Its size; of a stream that of its playlist alone. */
  readonly sizeBytes: string;
  /** Its SHA-256, in hexadecimal. */
  readonly sha256: string;
  /** Which run of the job made it. */
  readonly runNo: number | null;
  /** Signed URL; it needs no token, and ends at `urlExpiresAt`. That of a stream opens what its playlist names, too. Null for an API key without the scope that files of its domain take (`videos:read` for those of videos, clips and calls). */
  readonly url: string | null;
  /** Until when to open `url`; what is opened before can be played to its end. */
  readonly urlExpiresAt: string | null;
  /** When the run that made it ended. */
  readonly createdAt: string;
};

/** A piece of a video or of a call’s sound, made because somebody asked for it. */
export type Clip = {
  /** Global id. */
  readonly id: string;
  /** The plain key, as SQL, logs and object names have it. */
  readonly uuid: string;
  /** Grows with each change of the row. */
  readonly version: string;
  /** Current status. */
  readonly status: ClipStatus;
  /** Why it failed. */
  readonly error: JobError | null;
  /** Where the range that was asked for begins. */
  readonly requestedStartMs: number;
  /** Where it ends. */
  readonly requestedEndMs: number;
  /** Where the clip really begins within the video or call; null until it is ready. */
  readonly startMs: number | null;
  /** Where it really ends: not behind the end of the video or call. */
  readonly endMs: number | null;
  /** Width as displayed; null of a call. */
  readonly widthPx: number | null;
  /** Height as displayed; null of a call. */
  readonly heightPx: number | null;
  /** Size of its file. */
  readonly sizeBytes: string | null;
  /** How far the run that makes it is; null when none does, or it said nothing yet. */
  readonly progress: JobProgress | null;
  /** The same range out of the video’s stream, at once and in its quality; null while the video has none, and of a call. */
  readonly preview: {
    /** Signed URL of an HLS playlist of the segments that show the range; it begins to play at `startMs`. It needs no token. */
    readonly playlistUrl: string;
    /** Where the range begins within the video. */
    readonly startMs: number;
    /** Where it ends. The last segment goes on for some seconds: the player is to stop here. */
    readonly endMs: number;
    /** Until when `playlistUrl` and what it names are good. */
    readonly expiresAt: string;
  } | null;
  /** Signed URL of its file, an MP4, or an M4A of a call; it needs no token, and ends at `urlExpiresAt`. Null until it is ready. */
  readonly url: string | null;
  /** Until when `url` is good. */
  readonly urlExpiresAt: string | null;
  /** When it is deleted; null until it has ended, and for one that is kept forever. */
  readonly expiresAt: string | null;
  /** When it was first asked for. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
};

/** A text that was found. */
export type SearchHit = {
  /** How well it answers, 0 to 1. */
  readonly score: number;
  /** The text with its time, place and thumbnail. */
  readonly segment: {
    /** Global id. */
    readonly id: string;
    /** The text. */
    readonly text: string;
    /** When the video begins to show it. */
    readonly startMs: number;
    /** When it ends showing it. */
    readonly endMs: number;
    /** Which of the kept frames it was read in. */
    readonly frameMs: number;
    /** Its language, as Tesseract names it: `eng`. */
    readonly language: string;
    /** Signed URL of the kept frame, a JPEG; it needs no token, and ends at `thumbnailUrlExpiresAt`. */
    readonly thumbnailUrl: string;
  };
  /** The words in it that were asked for. */
  readonly highlights: readonly (({
    /** What was read. */
    readonly text: string;
    /** Its place in the picture; null where the reader did not say. */
    readonly box: {
      /** Its left edge. */
      readonly x: number;
      /** Its upper edge. */
      readonly y: number;
      /** Its width. */
      readonly width: number;
      /** Its height. */
      readonly height: number;
    } | null;
  }))[];
};

/** A found video with its cursor, and what was found in it. */
export type SearchResult = {
  /** Where this row stands; give it to `after` or `before`. */
  readonly cursor: string;
  /** How well it answers: its best text or its title, and a little for more of them. */
  readonly score: number;
  /** How many of its texts were found; 0 where its title alone was. */
  readonly hitCount: number;
  /** The row. */
  readonly node: ({
    /** Global id. */
    readonly id: string;
    /** The plain key, as SQL, logs and object names have it. */
    readonly uuid: string;
    /** Its title. */
    readonly title: string;
    /** Current status. */
    readonly status: VideoStatus;
    /** Its length. */
    readonly durationMs: number | null;
    /** Width as displayed. */
    readonly widthPx: number | null;
    /** Height as displayed. */
    readonly heightPx: number | null;
    /** Where its files are. */
    readonly urls: ({
      /** HLS playlist; what it names is reached by the relative names in it. While the first stream is being made, one that grows (type EVENT): it can be played from its beginning, and goes on to the end. */
      readonly playlist: string | null;
      /** Still picture, JPEG. */
      readonly poster: string | null;
      /** Until when to open them. */
      readonly expiresAt: string;
    });
  });
  /** The best of them, best first; `hitsPerVideo` says how many. */
  readonly hits: readonly (SearchHit)[];
};

/** A recorded call: its sound, what was said in it, and what that is about. */
export type Call = {
  /** Global id. */
  readonly id: string;
  /** The plain key, as SQL, logs and object names have it. */
  readonly uuid: string;
  /** Grows with each change of the row. */
  readonly version: string;
  /** Its title. */
  readonly title: string;
  /** Current status. */
  readonly status: CallStatus;
  /** Why it failed. */
  readonly error: JobError | null;
  /** Names of those who speak, in the order of the channels. */
  readonly speakers: readonly (string)[];
  /** As it was submitted. */
  readonly language: string | null;
  /** As it was submitted. */
  readonly metadata: unknown;
  /** Its length in milliseconds; null until its sound is there. */
  readonly durationMs: number | null;
  /** Channels of its sound, 1 or 2; two channels with one sound are one. */
  readonly channelCount: number | null;
  /** Nobody is to be heard. */
  readonly isSilent: boolean | null;
  /** How far the run at work on it is; null when none is. */
  readonly progress: JobProgress | null;
  /** Its stages, in their order. */
  readonly stages: readonly ({
    /** Which. */
    readonly stage: CallStage;
    /** Current status. A stage that a call did not need succeeds with the call. */
    readonly status: StageStatus;
  })[];
  /** What was said; null until it is known. */
  readonly transcript: ({
    /** `speechkit`, `openai`, `command`, `pocketsphinx`, `segments` or `none`. */
    readonly provider: string;
    /** Its words need a look before they are used. */
    readonly isDraft: boolean;
    /** False: times and speakers alone, or nothing. */
    readonly hasText: boolean;
    /** Why it has no text: `silent` (nobody is to be heard), `no_provider` (nothing here recognises words), `nothing_recognised`. */
    readonly emptyReason: string | null;
    /** Words. */
    readonly wordCount: number;
    /** Turns. */
    readonly turnCount: number;
  }) | null;
  /** Who submitted it. */
  readonly createdBy: string | null;
  /** When it was submitted. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
};

/** A cancel or a retry of all jobs that a filter chooses, which goes on by itself. */
export type BulkAction = {
  /** Global id. */
  readonly id: string;
  /** The plain key, as SQL and logs have it. */
  readonly uuid: string;
  /** Grows with each change of the row. */
  readonly version: string;
  /** What it does. */
  readonly verb: BulkVerb;
  /** Current status. */
  readonly status: BulkActionStatus;
  /** Jobs that were found to match, those that are done with among them. More may come while `hasMore`. */
  readonly matchedCount: number;
  /** Whether there may be jobs behind those that were found. */
  readonly hasMore: boolean;
  /** Jobs that were canceled, or are in the queue again. */
  readonly doneCount: number;
  /** Running jobs that were asked to stop. */
  readonly requestedCount: number;
  /** Jobs that were left as they are; `skipped` says why. */
  readonly failedCount: number;
  /** Those that were left as they are, by reason. */
  readonly skipped: readonly ({
    /** Why. */
    readonly reason: SkipReason;
    /** How many. */
    readonly count: number;
  })[];
  /** Somebody has asked it to stop. */
  readonly isStopRequested: boolean;
  /** Why it could not go on. */
  readonly failure: string | null;
  /** When it was begun. */
  readonly createdAt: string;
  /** When it ended; null while it goes on. */
  readonly finishedAt: string | null;
};

export type JobChangesVariables = {
  readonly filter?: JobChangesFilter | null | undefined;
  readonly after?: string | null | undefined;
};

export type JobChangesResult = {
  /** The state of the jobs that match, then FeedReady, then every change. Go on after a broken connection with `after`: nothing is missed, some may come twice, no job ever goes back to an older version. */
  readonly jobChanges: ({
    readonly __typename: 'FeedCheckpoint';
    /** Go on from here with `after`. */
    readonly cursor: string;
  } | {
    readonly __typename: 'FeedReady';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** False when it was cut off at `initialLimit`. */
    readonly isComplete: boolean;
  } | {
    readonly __typename: 'JobLeft';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** Its global id. */
    readonly jobId: string;
  } | {
    readonly __typename: 'JobRemoved';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** Its global id. */
    readonly jobId: string;
  } | {
    readonly __typename: 'JobUpdated';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** The job; null when it was deleted meanwhile, which the next event says. */
    readonly job: Job | null;
  } | {
    readonly __typename: 'ResyncRequired';
    /** Why. */
    readonly reason: ResyncReason;
  });
};

export const JobChanges: Operation<JobChangesResult, JobChangesVariables> = {
  name: 'JobChanges',
  text: 'subscription JobChanges($filter:JobChangesFilter$after:String){jobChanges(filter:$filter after:$after){__typename ...on JobUpdated{cursor job{...Job}}...on JobLeft{cursor jobId}...on JobRemoved{cursor jobId}...on FeedReady{cursor isComplete}...on FeedCheckpoint{cursor}...on ResyncRequired{reason}}}fragment Job on Job{id uuid version status isFinal definition{key}subject{type key}correlationId tags metadata createdBy priority attemptCount maxAttempts runNo pendingDependencyCount isCancelRequested reason progress{...JobProgress}error{...JobError}createdAt queuedAt scheduledFor startedAt finishedAt}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}fragment JobError on JobError{type message failedAt retryCount}',
};

export type VideoChangesVariables = {
  readonly filter?: VideoChangesFilter | null | undefined;
  readonly after?: string | null | undefined;
};

export type VideoChangesResult = {
  /** The videos that match, newest first, then FeedReady, then every change of one, of a job about it or of that job’s progress. Go on after a broken connection with `after`: nothing is missed, some may come twice. */
  readonly videoChanges: ({
    readonly __typename: 'FeedCheckpoint';
    /** Go on from here with `after`. */
    readonly cursor: string;
  } | {
    readonly __typename: 'FeedReady';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** False when it was cut off at `initialLimit`. */
    readonly isComplete: boolean;
  } | {
    readonly __typename: 'ResyncRequired';
    /** Why. */
    readonly reason: ResyncReason;
  } | {
    readonly __typename: 'VideoLeft';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** Its global id. */
    readonly videoId: string;
  } | {
    readonly __typename: 'VideoRemoved';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** Its global id. */
    readonly videoId: string;
  } | {
    readonly __typename: 'VideoUpdated';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** The video; null when it was deleted meanwhile, which the next event says. */
    readonly video: Video | null;
  });
};

export const VideoChanges: Operation<VideoChangesResult, VideoChangesVariables> = {
  name: 'VideoChanges',
  text: 'subscription VideoChanges($filter:VideoChangesFilter$after:String){videoChanges(filter:$filter after:$after){__typename ...on VideoUpdated{cursor video{...Video}}...on VideoLeft{cursor videoId}...on VideoRemoved{cursor videoId}...on FeedReady{cursor isComplete}...on FeedCheckpoint{cursor}...on ResyncRequired{reason}}}fragment Video on Video{id uuid version title status error{message}durationMs widthPx heightPx progress{...JobProgress}pipeline{percent etaSeconds stage stages{stage status percent etaSeconds}}urls{original playlist poster expiresAt}createdAt updatedAt}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}',
};

export type ClipChangesVariables = {
  readonly filter?: ClipChangesFilter | null | undefined;
  readonly after?: string | null | undefined;
};

export type ClipChangesResult = {
  /** The clips that match, newest first, then FeedReady, then every change of one, of the job that makes it or of that job’s progress. Go on after a broken connection with `after`: nothing is missed, some may come twice. */
  readonly clipChanges: ({
    readonly __typename: 'ClipLeft';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** Its global id. */
    readonly clipId: string;
  } | {
    readonly __typename: 'ClipRemoved';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** Its global id. */
    readonly clipId: string;
  } | {
    readonly __typename: 'ClipUpdated';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** The clip; null when it was deleted meanwhile, which the next event says. */
    readonly clip: Clip | null;
  } | {
    readonly __typename: 'FeedCheckpoint';
    /** Go on from here with `after`. */
    readonly cursor: string;
  } | {
    readonly __typename: 'FeedReady';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** False when it was cut off at `initialLimit`. */
    readonly isComplete: boolean;
  } | {
    readonly __typename: 'ResyncRequired';
    /** Why. */
    readonly reason: ResyncReason;
  });
};

export const ClipChanges: Operation<ClipChangesResult, ClipChangesVariables> = {
  name: 'ClipChanges',
  text: 'subscription ClipChanges($filter:ClipChangesFilter$after:String){clipChanges(filter:$filter after:$after){__typename ...on ClipUpdated{cursor clip{...Clip}}...on ClipLeft{cursor clipId}...on ClipRemoved{cursor clipId}...on FeedReady{cursor isComplete}...on FeedCheckpoint{cursor}...on ResyncRequired{reason}}}fragment Clip on Clip{id uuid version status error{...JobError}requestedStartMs requestedEndMs startMs endMs widthPx heightPx sizeBytes progress{...JobProgress}preview{playlistUrl startMs endMs expiresAt}url urlExpiresAt expiresAt createdAt updatedAt}fragment JobError on JobError{type message failedAt retryCount}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}',
};

export type JobChangedVariables = {
  readonly id: string;
};

export type JobChangedResult = {
  /** One job: as it is now, then at every change of it or its progress. Null when it is deleted; the stream then ends. */
  readonly jobChanged: JobDetails | null;
};

export const JobChanged: Operation<JobChangedResult, JobChangedVariables> = {
  name: 'JobChanged',
  text: 'subscription JobChanged($id:ID!){jobChanged(id:$id){...JobDetails}}fragment JobDetails on Job{...Job payload result}fragment Job on Job{id uuid version status isFinal definition{key}subject{type key}correlationId tags metadata createdBy priority attemptCount maxAttempts runNo pendingDependencyCount isCancelRequested reason progress{...JobProgress}error{...JobError}createdAt queuedAt scheduledFor startedAt finishedAt}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}fragment JobError on JobError{type message failedAt retryCount}',
};

export type VideoChangedVariables = {
  readonly id: string;
};

export type VideoChangedResult = {
  /** One video: as it is now, then at every change of it, of a job about it or of that job’s progress. Null when it is deleted; the stream then ends. */
  readonly videoChanged: Video | null;
};

export const VideoChanged: Operation<VideoChangedResult, VideoChangedVariables> = {
  name: 'VideoChanged',
  text: 'subscription VideoChanged($id:ID!){videoChanged(id:$id){...Video}}fragment Video on Video{id uuid version title status error{message}durationMs widthPx heightPx progress{...JobProgress}pipeline{percent etaSeconds stage stages{stage status percent etaSeconds}}urls{original playlist poster expiresAt}createdAt updatedAt}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}',
};

export type JobLogVariables = {
  readonly id: string;
  readonly after?: string | null | undefined;
  readonly untilFinal?: boolean | null | undefined;
};

export type JobLogResult = {
  /** The log of one job: its stored lines, then those that come, in their order and none left out. Go on after a broken connection with `after`. Ends with an event whose `isEnd` is true. */
  readonly jobLog: {
    /** Go on after these lines with `after`. */
    readonly cursor: string;
    /** The job has ended and all its lines have been delivered: the stream ends here. */
    readonly isEnd: boolean;
    /** In their order, at most 100; none in a last event that only says that nothing follows. */
    readonly lines: readonly (JobLogLine)[];
  };
};

export const JobLog: Operation<JobLogResult, JobLogVariables> = {
  name: 'JobLog',
  text: 'subscription JobLog($id:ID!$after:String$untilFinal:Boolean){jobLog(jobId:$id after:$after untilFinal:$untilFinal){cursor isEnd lines{...JobLogLine}}}fragment JobLogLine on JobLogLine{cursor runNo lineNo loggedAt level message data}',
};

export type JobSummaryChangedVariables = {
  readonly sinceSeconds?: number | null | undefined;
};

export type JobSummaryChangedResult = {
  /** How many jobs of the tenant stand where: now, and again when the counts have changed, at most twice a second. Each event is the whole; there is no cursor, a stream that begins again has missed nothing. */
  readonly jobSummary: JobSummary;
};

export const JobSummaryChanged: Operation<JobSummaryChangedResult, JobSummaryChangedVariables> = {
  name: 'JobSummaryChanged',
  text: 'subscription JobSummaryChanged($sinceSeconds:Int){jobSummary(sinceSeconds:$sinceSeconds){...JobSummary}}fragment JobSummary on JobSummary{countedAt isComplete counts{...JobStatusCounts}definitions{definitionKey counts{...JobStatusCounts}oldestQueuedAt}sinceSeconds finishedAfter oldestQueuedAt oldestQueuedSeconds}fragment JobStatusCounts on JobStatusCounts{queued running succeeded failed canceled deadLetter}',
};

export type FindJobVariables = {
  readonly id: string;
};

export type FindJobResult = {
  /** One job; null when it is not there or belongs to another tenant. */
  readonly job: JobDetails | null;
};

export const FindJob: Operation<FindJobResult, FindJobVariables> = {
  name: 'FindJob',
  text: 'query FindJob($id:ID!){job(id:$id){...JobDetails}}fragment JobDetails on Job{...Job payload result}fragment Job on Job{id uuid version status isFinal definition{key}subject{type key}correlationId tags metadata createdBy priority attemptCount maxAttempts runNo pendingDependencyCount isCancelRequested reason progress{...JobProgress}error{...JobError}createdAt queuedAt scheduledFor startedAt finishedAt}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}fragment JobError on JobError{type message failedAt retryCount}',
};

export type JobArtifactsVariables = {
  readonly id: string;
  readonly kind?: string | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
};

export type JobArtifactsResult = {
  /** One job; null when it is not there or belongs to another tenant. */
  readonly job: ({
    /** The files that it made, by kind and name, with numbers in names as numbers; none of most jobs. A file that a later job has replaced belongs to that job. Pieces of streams (`hls_segment`) are listed where `kind` asks for them. */
    readonly artifacts: ({
      /** The rows of this page. */
      readonly nodes: readonly (JobArtifact)[];
      /** Whether there is more, and where to go on. */
      readonly pageInfo: ({
        /** Cursor of the last row; null on an empty page. */
        readonly endCursor: string | null;
        /** Whether there are rows after this page. */
        readonly hasNextPage: boolean;
      });
    });
  }) | null;
};

export const JobArtifacts: Operation<JobArtifactsResult, JobArtifactsVariables> = {
  name: 'JobArtifacts',
  text: 'query JobArtifacts($id:ID!$kind:String$first:Int$after:String){job(id:$id){artifacts(kind:$kind first:$first after:$after){nodes{...JobArtifact}pageInfo{endCursor hasNextPage}}}}fragment JobArtifact on JobArtifact{id name kind label contentType sizeBytes sha256 runNo url urlExpiresAt createdAt}',
};

export type EnqueueJobVariables = {
  readonly input: EnqueueJobInput;
};

export type EnqueueJobResult = {
  /** Enqueues a job. Its payload is checked before anything is written. */
  readonly enqueueJob: ({
    readonly __typename: 'DedupeBusyError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'DefinitionInactiveError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'EnqueueJobPayload';
    /** False when a job with the same dedupe key was there already. */
    readonly isNew: boolean;
    /** The job’s global id. */
    readonly jobId: string;
    /** The job, read after the commit. `jobId` alone costs no read. */
    readonly job: JobDetails | null;
  } | {
    readonly __typename: 'ForbiddenError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'InvalidArgumentError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'InvalidPayloadError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
    /** All that is wrong, at most 20; the first one is in `field` and `allowed`. */
    readonly problems: readonly ({
      /** The argument at fault, as a path: `input.payload.items[3].url`. */
      readonly field: string;
      /** What is wrong there. */
      readonly message: string;
      /** What would have been taken there. */
      readonly allowed: string;
    })[];
  } | {
    readonly __typename: 'PayloadTooLargeError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'UnknownDefinitionError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  });
};

export const EnqueueJob: Operation<EnqueueJobResult, EnqueueJobVariables> = {
  name: 'EnqueueJob',
  text: 'mutation EnqueueJob($input:EnqueueJobInput!){enqueueJob(input:$input){__typename ...on EnqueueJobPayload{isNew jobId job{...JobDetails}}...on DomainFailure{code message field allowed}...on InvalidPayloadError{problems{field message allowed}}}}fragment JobDetails on Job{...Job payload result}fragment Job on Job{id uuid version status isFinal definition{key}subject{type key}correlationId tags metadata createdBy priority attemptCount maxAttempts runNo pendingDependencyCount isCancelRequested reason progress{...JobProgress}error{...JobError}createdAt queuedAt scheduledFor startedAt finishedAt}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}fragment JobError on JobError{type message failedAt retryCount}',
};

export type CancelJobVariables = {
  readonly input: CancelJobInput;
};

export type CancelJobResult = {
  /** Cancels a queued job at once and asks a running one to stop. Members may cancel their own. */
  readonly cancelJob: ({
    readonly __typename: 'BusyError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'CancelJobPayload';
    /** True for a running job: its worker hears within a second and ends it. If it is done first, it stays done. */
    readonly isCancelRequested: boolean;
    /** The job. */
    readonly job: JobDetails | null;
  } | {
    readonly __typename: 'ForbiddenError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'InvalidArgumentError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'NotFoundError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'WrongStateError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  });
};

export const CancelJob: Operation<CancelJobResult, CancelJobVariables> = {
  name: 'CancelJob',
  text: 'mutation CancelJob($input:CancelJobInput!){cancelJob(input:$input){__typename ...on CancelJobPayload{isCancelRequested job{...JobDetails}}...on DomainFailure{code message field allowed}}}fragment JobDetails on Job{...Job payload result}fragment Job on Job{id uuid version status isFinal definition{key}subject{type key}correlationId tags metadata createdBy priority attemptCount maxAttempts runNo pendingDependencyCount isCancelRequested reason progress{...JobProgress}error{...JobError}createdAt queuedAt scheduledFor startedAt finishedAt}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}fragment JobError on JobError{type message failedAt retryCount}',
};

export type RetryJobVariables = {
  readonly input: RetryJobInput;
};

export type RetryJobResult = {
  /** Puts a job that is FAILED, DEAD_LETTER or CANCELED back into the queue with a fresh budget. Members may retry their own. */
  readonly retryJob: ({
    readonly __typename: 'ActiveDuplicateError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'BusyError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'ForbiddenError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'InvalidArgumentError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'NotFoundError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'RetryJobPayload';
    /** The job. */
    readonly job: JobDetails | null;
  } | {
    readonly __typename: 'StillRunningError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'WrongStateError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  });
};

export const RetryJob: Operation<RetryJobResult, RetryJobVariables> = {
  name: 'RetryJob',
  text: 'mutation RetryJob($input:RetryJobInput!){retryJob(input:$input){__typename ...on RetryJobPayload{job{...JobDetails}}...on DomainFailure{code message field allowed}}}fragment JobDetails on Job{...Job payload result}fragment Job on Job{id uuid version status isFinal definition{key}subject{type key}correlationId tags metadata createdBy priority attemptCount maxAttempts runNo pendingDependencyCount isCancelRequested reason progress{...JobProgress}error{...JobError}createdAt queuedAt scheduledFor startedAt finishedAt}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}fragment JobError on JobError{type message failedAt retryCount}',
};

export type ReplayJobVariables = {
  readonly input: ReplayJobInput;
};

export type ReplayJobResult = {
  /** Makes a new job from one that has ended in whatever way, with its payload or another. Who may enqueue the definition may replay its jobs. */
  readonly replayJob: ({
    readonly __typename: 'ActiveDuplicateError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'DedupeBusyError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'DefinitionInactiveError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'ForbiddenError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'InvalidArgumentError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'InvalidPayloadError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
    /** All that is wrong, at most 20; the first one is in `field` and `allowed`. */
    readonly problems: readonly ({
      /** The argument at fault, as a path: `input.payload.items[3].url`. */
      readonly field: string;
      /** What is wrong there. */
      readonly message: string;
      /** What would have been taken there. */
      readonly allowed: string;
    })[];
  } | {
    readonly __typename: 'NotFoundError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'PayloadTooLargeError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'ReplayJobPayload';
    /** The new job; its `replayOf` is the ended one. */
    readonly job: JobDetails | null;
  } | {
    readonly __typename: 'WrongStateError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  });
};

export const ReplayJob: Operation<ReplayJobResult, ReplayJobVariables> = {
  name: 'ReplayJob',
  text: 'mutation ReplayJob($input:ReplayJobInput!){replayJob(input:$input){__typename ...on ReplayJobPayload{job{...JobDetails}}...on DomainFailure{code message field allowed}...on InvalidPayloadError{problems{field message allowed}}}}fragment JobDetails on Job{...Job payload result}fragment Job on Job{id uuid version status isFinal definition{key}subject{type key}correlationId tags metadata createdBy priority attemptCount maxAttempts runNo pendingDependencyCount isCancelRequested reason progress{...JobProgress}error{...JobError}createdAt queuedAt scheduledFor startedAt finishedAt}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}fragment JobError on JobError{type message failedAt retryCount}',
};

export type ClipChangedVariables = {
  readonly id: string;
};

export type ClipChangedResult = {
  /** One clip: as it is now, then at every change of it, of the job that makes it or of that job’s progress. Null when it is deleted, by itself or with its video; the stream then ends. */
  readonly clipChanged: Clip | null;
};

export const ClipChanged: Operation<ClipChangedResult, ClipChangedVariables> = {
  name: 'ClipChanged',
  text: 'subscription ClipChanged($id:ID!){clipChanged(id:$id){...Clip}}fragment Clip on Clip{id uuid version status error{...JobError}requestedStartMs requestedEndMs startMs endMs widthPx heightPx sizeBytes progress{...JobProgress}preview{playlistUrl startMs endMs expiresAt}url urlExpiresAt expiresAt createdAt updatedAt}fragment JobError on JobError{type message failedAt retryCount}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}',
};

export type RequestClipVariables = {
  readonly input: RequestClipInput;
};

export type RequestClipResult = {
  /** Asks for a clip. The same range gives the same clip; one that failed, or whose time was up, is made again. */
  readonly requestClip: ({
    readonly __typename: 'DedupeBusyError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'DefinitionInactiveError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'ForbiddenError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'InvalidArgumentError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'NotFoundError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'ObjectNotFoundError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'QuotaExceededError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'RequestClipPayload';
    /** False when the clip was there already, or is just being made. */
    readonly isNew: boolean;
    /** The clip. Watch it with `clipChanged`; once it is ready, fetch its `url`. */
    readonly clip: Clip | null;
  });
};

export const RequestClip: Operation<RequestClipResult, RequestClipVariables> = {
  name: 'RequestClip',
  text: 'mutation RequestClip($input:RequestClipInput!){requestClip(input:$input){__typename ...on RequestClipPayload{isNew clip{...Clip}}...on DomainFailure{code message field allowed}}}fragment Clip on Clip{id uuid version status error{...JobError}requestedStartMs requestedEndMs startMs endMs widthPx heightPx sizeBytes progress{...JobProgress}preview{playlistUrl startMs endMs expiresAt}url urlExpiresAt expiresAt createdAt updatedAt}fragment JobError on JobError{type message failedAt retryCount}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}',
};

export type SearchVideosVariables = {
  readonly query?: string | null | undefined;
  readonly filter?: SearchFilter | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly hitsPerVideo?: number | null | undefined;
};

export type SearchVideosResult = {
  /** Searches what was read in the pictures of videos, also of one that is still being read, and their titles: words, `"phrases"`, beginnings (`proj*`), `-without`, `@name`, `#tag`. A mistyped or misread letter does not matter. */
  readonly searchVideos: ({
    /** How many videos were found; null when the newest come first, since nobody counts them then. */
    readonly videoCount: number | null;
    /** How many texts were found in all of them; null likewise. */
    readonly hitCount: number | null;
    /** The rows of this page, each with its cursor. */
    readonly edges: readonly (SearchResult)[];
    /** Whether there is more, and where to go on. */
    readonly pageInfo: ({
      /** Cursor of the last row; null on an empty page. */
      readonly endCursor: string | null;
      /** Whether there are rows after this page. */
      readonly hasNextPage: boolean;
    });
  }) | null;
};

export const SearchVideos: Operation<SearchVideosResult, SearchVideosVariables> = {
  name: 'SearchVideos',
  text: 'query SearchVideos($query:String$filter:SearchFilter$first:Int$after:String$hitsPerVideo:Int){searchVideos(query:$query filter:$filter first:$first after:$after hitsPerVideo:$hitsPerVideo){videoCount hitCount edges{...SearchResult}pageInfo{endCursor hasNextPage}}}fragment SearchResult on SearchEdge{cursor score hitCount node{id uuid title status durationMs widthPx heightPx urls{playlist poster expiresAt}}hits{...SearchHit}}fragment SearchHit on SearchHit{score segment{id text startMs endMs frameMs language thumbnailUrl}highlights{text box{x y width height}}}',
};

export type CallChangesVariables = {
  readonly filter?: CallChangesFilter | null | undefined;
  readonly after?: string | null | undefined;
};

export type CallChangesResult = {
  /** The calls that match, newest first, then FeedReady, then every change of one, of a job about it or of that job’s progress. Go on after a broken connection with `after`: nothing is missed, some may come twice. */
  readonly callChanges: ({
    readonly __typename: 'CallLeft';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** Its global id. */
    readonly callId: string;
  } | {
    readonly __typename: 'CallRemoved';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** Its global id. */
    readonly callId: string;
  } | {
    readonly __typename: 'CallUpdated';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** The call; null when it was deleted meanwhile, which the next event says. */
    readonly call: Call | null;
  } | {
    readonly __typename: 'FeedCheckpoint';
    /** Go on from here with `after`. */
    readonly cursor: string;
  } | {
    readonly __typename: 'FeedReady';
    /** Go on from here with `after`. */
    readonly cursor: string;
    /** False when it was cut off at `initialLimit`. */
    readonly isComplete: boolean;
  } | {
    readonly __typename: 'ResyncRequired';
    /** Why. */
    readonly reason: ResyncReason;
  });
};

export const CallChanges: Operation<CallChangesResult, CallChangesVariables> = {
  name: 'CallChanges',
  text: 'subscription CallChanges($filter:CallChangesFilter$after:String){callChanges(filter:$filter after:$after){__typename ...on CallUpdated{cursor call{...Call}}...on CallLeft{cursor callId}...on CallRemoved{cursor callId}...on FeedReady{cursor isComplete}...on FeedCheckpoint{cursor}...on ResyncRequired{reason}}}fragment Call on Call{id uuid version title status error{...JobError}speakers language metadata durationMs channelCount isSilent progress{...JobProgress}stages{stage status}transcript{provider isDraft hasText emptyReason wordCount turnCount}createdBy createdAt updatedAt}fragment JobError on JobError{type message failedAt retryCount}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}',
};

export type CallChangedVariables = {
  readonly id: string;
};

export type CallChangedResult = {
  /** One call: as it is now, then at every change of it, of a job about it or of that job’s progress. Null when it is deleted; the stream then ends. */
  readonly callChanged: Call | null;
};

export const CallChanged: Operation<CallChangedResult, CallChangedVariables> = {
  name: 'CallChanged',
  text: 'subscription CallChanged($id:ID!){callChanged(id:$id){...Call}}fragment Call on Call{id uuid version title status error{...JobError}speakers language metadata durationMs channelCount isSilent progress{...JobProgress}stages{stage status}transcript{provider isDraft hasText emptyReason wordCount turnCount}createdBy createdAt updatedAt}fragment JobError on JobError{type message failedAt retryCount}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}',
};

export type FindVideoVariables = {
  readonly id: string;
};

export type FindVideoResult = {
  /** One video; null when it is not there or belongs to another tenant. */
  readonly video: Video | null;
};

export const FindVideo: Operation<FindVideoResult, FindVideoVariables> = {
  name: 'FindVideo',
  text: 'query FindVideo($id:ID!){video(id:$id){...Video}}fragment Video on Video{id uuid version title status error{message}durationMs widthPx heightPx progress{...JobProgress}pipeline{percent etaSeconds stage stages{stage status percent etaSeconds}}urls{original playlist poster expiresAt}createdAt updatedAt}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}',
};

export type CreateVideoVariables = {
  readonly input: CreateVideoInput;
};

export type CreateVideoResult = {
  /** Makes a video and the signed URL for its upload. */
  readonly createVideo: ({
    readonly __typename: 'CreateVideoPayload';
    /** The video. */
    readonly video: Video | null;
    /** The other way to upload it: in pieces, going on where a connection broke. Its end completes the upload by itself. */
    readonly resumableUpload: {
      /** The endpoint for a tus client: it is answered with the URL of the upload itself. */
      readonly url: string;
      /** A larger file is refused. */
      readonly maxSizeBytes: string;
    };
  } | {
    readonly __typename: 'ForbiddenError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'InvalidArgumentError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'ObjectTooLargeError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'QuotaExceededError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  });
};

export const CreateVideo: Operation<CreateVideoResult, CreateVideoVariables> = {
  name: 'CreateVideo',
  text: 'mutation CreateVideo($input:CreateVideoInput!){createVideo(input:$input){__typename ...on CreateVideoPayload{video{...Video}resumableUpload{url maxSizeBytes}}...on DomainFailure{code message field allowed}}}fragment Video on Video{id uuid version title status error{message}durationMs widthPx heightPx progress{...JobProgress}pipeline{percent etaSeconds stage stages{stage status percent etaSeconds}}urls{original playlist poster expiresAt}createdAt updatedAt}fragment JobProgress on JobProgress{percent stage message etaSeconds preview{url expiresAt}runNo updatedAt}',
};

export type BulkActionChangedVariables = {
  readonly id: string;
};

export type BulkActionChangedResult = {
  /** One bulk action: as it is now, then at every change of it. Null when it is gone; the stream then ends. */
  readonly bulkActionChanged: BulkAction | null;
};

export const BulkActionChanged: Operation<BulkActionChangedResult, BulkActionChangedVariables> = {
  name: 'BulkActionChanged',
  text: 'subscription BulkActionChanged($id:ID!){bulkActionChanged(id:$id){...BulkAction}}fragment BulkAction on BulkAction{id uuid version verb status matchedCount hasMore doneCount requestedCount failedCount skipped{reason count}isStopRequested failure createdAt finishedAt}',
};

export type StartBulkActionVariables = {
  readonly input: StartBulkActionInput;
};

export type StartBulkActionResult = {
  /** Begins to cancel or retry all jobs that a filter chooses and that are there now, 500 a transaction. It goes on after a restart of the server. For tenant admins. */
  readonly startBulkAction: ({
    readonly __typename: 'ForbiddenError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'InvalidArgumentError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'StartBulkActionPayload';
    /** The bulk action. Watch it with `bulkActionChanged`. */
    readonly bulkAction: BulkAction | null;
  } | {
    readonly __typename: 'UnknownDefinitionError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  });
};

export const StartBulkAction: Operation<StartBulkActionResult, StartBulkActionVariables> = {
  name: 'StartBulkAction',
  text: 'mutation StartBulkAction($input:StartBulkActionInput!){startBulkAction(input:$input){__typename ...on StartBulkActionPayload{bulkAction{...BulkAction}}...on DomainFailure{code message field allowed}}}fragment BulkAction on BulkAction{id uuid version verb status matchedCount hasMore doneCount requestedCount failedCount skipped{reason count}isStopRequested failure createdAt finishedAt}',
};

export type StopBulkActionVariables = {
  readonly input: StopBulkActionInput;
};

export type StopBulkActionResult = {
  /** Stops a bulk action; what it has done stays done. For tenant admins. */
  readonly stopBulkAction: ({
    readonly __typename: 'ForbiddenError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'InvalidArgumentError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'NotFoundError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'StopBulkActionPayload';
  });
};

export const StopBulkAction: Operation<StopBulkActionResult, StopBulkActionVariables> = {
  name: 'StopBulkAction',
  text: 'mutation StopBulkAction($input:StopBulkActionInput!){stopBulkAction(input:$input){__typename ...on DomainFailure{code message field allowed}}}',
};

export type ImportVideoVariables = {
  readonly input: ImportVideoInput;
};

export type ImportVideoResult = {
  /** Makes a video of a file at a public address. A job fetches it, and its pipeline follows by itself; where that fails, the video is `FAILED` with the reason, and a retry of the job fetches it again. */
  readonly importVideo: ({
    readonly __typename: 'DefinitionInactiveError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'ForbiddenError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'ImportVideoPayload';
    /** The video. */
    readonly video: {
      /** Global id. */
      readonly id: string;
      /** The plain key, as SQL, logs and object names have it. */
      readonly uuid: string;
    } | null;
  } | {
    readonly __typename: 'InvalidArgumentError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'QuotaExceededError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  });
};

export const ImportVideo: Operation<ImportVideoResult, ImportVideoVariables> = {
  name: 'ImportVideo',
  text: 'mutation ImportVideo($input:ImportVideoInput!){importVideo(input:$input){__typename ...on ImportVideoPayload{video{id uuid}}...on DomainFailure{code message field allowed}}}',
};
