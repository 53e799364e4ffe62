// Written by `npm run client` from operations.graphql and schema.graphql.
import type { Operation } from '../../src/client/operation.ts';

/** What an API key may be narrowed to, below what its role allows. */
export type ApiKeyScope = 'ADMIN' | 'JOBS_READ' | 'JOBS_WRITE' | 'VIDEOS_READ' | 'VIDEOS_WRITE';

/** What can be done that the audit log keeps. */
export type AuditAction = 'API_KEY_CREATE' | 'API_KEY_REVOKE' | 'BULK_ACTION_START' | 'BULK_ACTION_STOP' | 'CALL_DELETE' | 'CLIP_DELETE' | 'DEFINITION_ARCHIVE' | 'DEFINITION_CREATE' | 'DEFINITION_PAUSE' | 'DEFINITION_RESTORE' | 'DEFINITION_RESUME' | 'DEFINITION_UPDATE' | 'JOBS_CANCEL' | 'JOBS_RETRY' | 'JOB_CANCEL' | 'JOB_REDACT' | 'JOB_REPLAY' | 'JOB_RETRY' | 'JOB_UPDATE' | 'LANE_LIMIT_REMOVE' | 'LANE_LIMIT_SET' | 'LINK_DELETE' | 'MEMBER_REMOVE' | 'MEMBER_SET' | 'TENANT_CREATE' | 'TENANT_DELETE' | 'TENANT_PAUSE' | 'TENANT_RESUME' | 'TENANT_UPDATE' | 'TOKEN_REVOKE' | 'TRIGGER_CREATE' | 'TRIGGER_DELETE' | 'TRIGGER_RUN' | 'TRIGGER_UPDATE' | 'VIDEO_DELETE' | 'VIDEO_UPDATE' | 'WEBHOOK_CREATE' | 'WEBHOOK_DELETE' | 'WEBHOOK_REDELIVER' | 'WEBHOOK_ROTATE_SECRET' | 'WEBHOOK_UPDATE';

/** What an action is done to. */
export type AuditTargetType = 'API_KEY' | 'BULK_ACTION' | 'CALL' | 'CLIP' | 'DEFINITION' | 'JOB' | 'JOBS' | 'LANE_LIMIT' | 'LINK' | 'MEMBER' | 'TENANT' | 'TOKEN' | 'TRIGGER' | 'VIDEO' | 'WEBHOOK';

/** A stage of a call, in the order in which they run. */
export type CallStage = 'ANALYZE' | 'EXTRACT_AUDIO' | 'TRANSCRIBE_POLL' | 'TRANSCRIBE_START';

/** How a change of the clock touches a run. */
export type ClockChange = 'NONE' | 'REPEATED_FIRST' | 'REPEATED_SECOND' | 'SHIFTED' | 'SKIPPED';

/** What is wrong, for programs. Each code is that of one type: `NOT_FOUND` of `NotFoundError`. */
export type DomainFailureCode = 'ACTIVE_DUPLICATE' | 'ALREADY_EXISTS' | 'BUSY' | 'DEDUPE_BUSY' | 'DEFINITION_INACTIVE' | 'FORBIDDEN' | 'INVALID_ARGUMENT' | 'INVALID_PAYLOAD' | 'LOST_LEASE' | 'NOT_FOUND' | 'OBJECT_NOT_FOUND' | 'OBJECT_TOO_LARGE' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'STILL_RUNNING' | 'UNKNOWN_DEFINITION' | 'WRONG_STATE';

/** How one run of a job ended. */
export type JobAttemptStatus = 'CANCELED' | 'FAILED' | 'INTERRUPTED' | 'LOST' | 'RUNNING' | 'SKIPPED' | 'SUCCEEDED' | 'TIMEOUT';

/** What a job does when one that it waits for fails or is canceled. */
export type JobDependencyPolicy = 'CANCEL' | 'RUN' | 'SKIP';

/** How much a line of a job’s log matters. */
export type JobLogLevel = 'DEBUG' | 'ERROR' | 'INFO' | 'WARN';

/** What asked for a job. */
export type JobSource = 'EVENT' | 'MANUAL' | 'SCHEDULE' | 'SYSTEM';

/** Where a job stands. */
export type JobStatus = 'CANCELED' | 'DEAD_LETTER' | 'FAILED' | 'QUEUED' | 'RUNNING' | 'SUCCEEDED';

/** How links are searched. */
export type LinkSearchMode = 'HYBRID' | 'MEANING' | 'WORDS';

/** Where a link stands. */
export type LinkStatus = 'DONE' | 'ENRICHING' | 'FAILED' | 'PENDING' | 'SCRAPING';

/** What the text of a link is. */
export type LinkTextKind = 'ARTICLE' | 'TRANSCRIPT';

/** What becomes of runs that were missed by more than a minute, since no worker was there. */
export type MissedRunsPolicy = 'BACKFILL' | 'RUN_ONCE' | 'SKIP';

/** What happens to a fixed time that does not exist on the day when clocks go forward. Schedules with a wildcard or a step in their times go by elapsed time instead. */
export type MissingHourPolicy = 'AFTER' | 'SKIP';

/** What happens to a fixed time that comes twice on the day when clocks go back. Schedules with a wildcard or a step in their times go by elapsed time instead. */
export type RepeatedHourPolicy = 'BOTH' | 'FIRST';

/** What a caller may do. */
export type Role = 'MEMBER' | 'SUPER_ADMIN' | 'TENANT_ADMIN' | 'WORKER';

/** Where a stage stands. */
export type StageStatus = 'CANCELED' | 'FAILED' | 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'WAITING';

/** What starts a trigger. */
export type TriggerKind = 'EVENT' | 'SCHEDULE';

/** What became of one run of a schedule, or of one event at one trigger. */
export type TriggerRunOutcome = 'CHAIN_TOO_DEEP' | 'CONDITION_FALSE' | 'DEFINITION_INACTIVE' | 'DISABLED' | 'DUPLICATE' | 'ENQUEUED' | 'MISSED' | 'PAYLOAD_REFUSED' | 'STILL_ACTIVE' | 'TEMPLATE_ERROR';

/** What a queued job waits for. */
export type WaitReason = 'DEPENDENCY' | 'DOOMED' | 'EXPIRED' | 'LIMIT' | 'NO_WORKER' | 'PAUSED' | 'RATE' | 'TIME' | 'TURN';

/** How an attempt to deliver went. */
export type WebhookDeliveryOutcome = 'DELIVERED' | 'FAILED' | 'SKIPPED';

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

/** Which job to change, and what of it; null and absent leave it. */
export interface UpdateJobInput {
  /** Its global id, or its UUID. */
  readonly id: string;
  /** Instead of the metadata that it has, as a whole, in whatever state it is; `{}` removes it. An object of at most 4096 bytes of JSON. */
  readonly metadata?: unknown | null | undefined;
  /** 0 to 1000000; lower runs first. */
  readonly priority?: number | null | undefined;
  /** Not to be run before. A past time is taken as now. */
  readonly scheduledFor?: string | null | undefined;
  /** Instead of the tags that it has, in whatever state it is; an empty list removes them. At most 20, each of 1 to 64 characters. */
  readonly tags?: readonly (string)[] | null | undefined;
}

/** Which definition to pause. */
export interface PauseJobDefinitionInput {
  /** Its key: `transcode`. */
  readonly definition: string;
  /** Why, in words; kept in the audit log. 1 to 1000 characters. */
  readonly reason?: string | null | undefined;
}

/** Which definition to resume. */
export interface ResumeJobDefinitionInput {
  /** Its key: `transcode`. */
  readonly definition: string;
  /** Why, in words; kept in the audit log. 1 to 1000 characters. */
  readonly reason?: string | null | undefined;
}

/** Which triggers. Conditions are joined by "and"; an absent one takes all. */
export interface TriggerFilter {
  /** Enabled or disabled ones. */
  readonly isEnabled?: boolean | null | undefined;
  /** What starts them. */
  readonly kind?: TriggerKind | null | undefined;
  /** True: those whose last run failed, as its job has failed for good, or it made none for another reason than that it was a duplicate, its condition was false or it was disabled. False: the others. */
  readonly lastRunFailed?: boolean | null | undefined;
}

/** Which events. Conditions are joined by "and"; an absent one takes all. */
export interface EventFilter {
  /** Events of exactly this name. */
  readonly name?: string | null | undefined;
}

/** The times of a schedule: one of `cron`, `everySeconds` and `runAt`. */
export interface SchedulePreviewInput {
  /** As of `CreateTriggerInput`. */
  readonly cron?: string | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly endsAt?: string | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly everySeconds?: number | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly missingHour?: MissingHourPolicy | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly repeatedHour?: RepeatedHourPolicy | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly runAt?: string | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly startsAt?: string | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly timeZone?: string | null | undefined;
}

/** A trigger, saved or not, and what to try it with. */
export interface TestTriggerInput {
  /** For an event trigger. */
  readonly event?: TestEventInput | null | undefined;
  /** For a schedule: the time of the run; now by default. */
  readonly scheduledAt?: string | null | undefined;
  /** The trigger. */
  readonly trigger: CreateTriggerInput;
}

/** A trigger: with `eventName` it listens to events; with `cron`, `everySeconds` or `runAt` it is a schedule. */
export interface CreateTriggerInput {
  /** 1 to 1000; 10 by default. */
  readonly backfillLimit?: number | null | undefined;
  /** What the event’s data has to satisfy: `{ "field": "size", "gt": 10 }`. */
  readonly condition?: unknown | null | undefined;
  /** 5 fields, or 6 with seconds first; `@daily` and the like. */
  readonly cron?: string | null | undefined;
  /** 0 to 31622400; 300 by default. Of event triggers. */
  readonly dedupeWindowSeconds?: number | null | undefined;
  /** The key of the definition that its jobs are of. */
  readonly definition: string;
  /** No run at it or after. */
  readonly endsAt?: string | null | undefined;
  /** An event name, or its first words and `.*`: `provider.*`. */
  readonly eventName?: string | null | undefined;
  /** 1 to 31622400. */
  readonly everySeconds?: number | null | undefined;
  /** True by default. */
  readonly isEnabled?: boolean | null | undefined;
  /** No run while the job of the last one is active; false by default. */
  readonly isSkippedWhileActive?: boolean | null | undefined;
  /** 0 to 86400; 0 by default. */
  readonly jitterSeconds?: number | null | undefined;
  /** 1 to 200 characters. */
  readonly label: string;
  /** `RUN_ONCE` by default. */
  readonly missedRuns?: MissedRunsPolicy | null | undefined;
  /** `AFTER` by default. */
  readonly missingHour?: MissingHourPolicy | null | undefined;
  /** The payload, with placeholders: `{ "path": "{{event.path}}" }`. `{}` by default. */
  readonly payloadTemplate?: unknown | null | undefined;
  /** 0 to 1000000; 100 by default. */
  readonly priority?: number | null | undefined;
  /** `FIRST` by default. */
  readonly repeatedHour?: RepeatedHourPolicy | null | undefined;
  /** One run, at this time. */
  readonly runAt?: string | null | undefined;
  /** No run before it. */
  readonly startsAt?: string | null | undefined;
  /** The time zone of `cron`, by its IANA name; `UTC` by default. */
  readonly timeZone?: string | null | undefined;
}

/** What to change of a trigger: null gives a field its default, absent leaves it. */
export interface UpdateTriggerInput {
  /** As of `CreateTriggerInput`. */
  readonly backfillLimit?: number | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly condition?: unknown | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly cron?: string | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly dedupeWindowSeconds?: number | null | undefined;
  /** The key of the definition that its jobs are of. */
  readonly definition?: string | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly endsAt?: string | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly eventName?: string | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly everySeconds?: number | null | undefined;
  /** The trigger’s global id, or its UUID. */
  readonly id: string;
  /** A schedule that is enabled again goes on from now. */
  readonly isEnabled?: boolean | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly isSkippedWhileActive?: boolean | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly jitterSeconds?: number | null | undefined;
  /** 1 to 200 characters. */
  readonly label?: string | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly missedRuns?: MissedRunsPolicy | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly missingHour?: MissingHourPolicy | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly payloadTemplate?: unknown | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly priority?: number | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly repeatedHour?: RepeatedHourPolicy | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly runAt?: string | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly startsAt?: string | null | undefined;
  /** As of `CreateTriggerInput`. */
  readonly timeZone?: string | null | undefined;
}

/** Which trigger to delete. */
export interface DeleteTriggerInput {
  /** Its global id, or its UUID. */
  readonly id: string;
}

/** Which schedule to run. */
export interface RunScheduleNowInput {
  /** Its global id, or its UUID. */
  readonly id: string;
}

/** An event of the tenant. */
export interface EmitEventInput {
  /** Carried on to the jobs that it makes: at most 255 characters. */
  readonly correlationId?: string | null | undefined;
  /** An object of at most 262144 bytes of JSON; `{}` by default. */
  readonly data?: unknown | null | undefined;
  /** Lower-case words with dots between them: `provider.folder.updated`. */
  readonly name: string;
  /** Where it comes from: at most 1024 characters. */
  readonly sourceRef?: string | null | undefined;
}

/** What to change of the tenant: null clears, absent leaves. All but the name is for super admins. */
export interface UpdateTenantInput {
  /** Its global id, or its UUID: another tenant, for super admins. The one that the caller acts on by default. */
  readonly id?: string | null | undefined;
  /** Jobs that run at a time: 1 to 1000000. */
  readonly maxRunning?: number | null | undefined;
  /** Bytes of originals and clips: 1 to 9007199254740991; null for what the installation allows each tenant. */
  readonly maxStoredBytes?: string | null | undefined;
  /** 1 to 200 characters. */
  readonly name?: string | null | undefined;
  /** Starts in a period. */
  readonly rateLimit?: RateLimitInput | null | undefined;
  /** How long finished jobs are kept: 0 to 2147483647. */
  readonly retentionSeconds?: number | null | undefined;
  /** Its share of claims against other tenants: 1 to 100. */
  readonly weight?: number | null | undefined;
}

/** A new tenant. */
export interface CreateTenantInput {
  /** 1 to 200 characters; the slug by default. */
  readonly name?: string | null | undefined;
  /** Its short name: 1 to 63 of a-z, 0-9 and -, no - first. */
  readonly slug: string;
}

/** The tenant to delete, with all that it has. */
export interface DeleteTenantInput {
  /** Its global id, or its UUID. */
  readonly id: string;
  /** Why, for the audit log: up to 1,000 characters. */
  readonly reason?: string | null | undefined;
}

/** A person and their role. */
export interface SetMemberInput {
  /** What they may do at most: `MEMBER` or `TENANT_ADMIN`. */
  readonly role: Role;
  /** The `sub` of their tokens, 1 to 255 characters. */
  readonly subject: string;
}

/** A person on the list. */
export interface RemoveMemberInput {
  /** The `sub` of their tokens, 1 to 255 characters. */
  readonly subject: string;
}

/** The tenant’s own limits for one definition: null clears, absent leaves. */
export interface SetLaneLimitInput {
  /** The definition’s key: `transcode`. */
  readonly definition: string;
  /** Jobs that run at a time: 1 to 1000000; null: as the definition says for each tenant. */
  readonly maxRunning?: number | null | undefined;
  /** Starts in a period; null: as the definition says for each tenant. */
  readonly rateLimit?: RateLimitInput | null | undefined;
}

/** Whose limits to remove. */
export interface RemoveLaneLimitInput {
  /** The definition’s key: `transcode`. */
  readonly definition: string;
}

/** An address that events are to be delivered to. */
export interface CreateWebhookEndpointInput {
  /** What people call it: 1 to 200 characters. */
  readonly label: string;
  /** Failing for this long, with at least 20 failures in a row, pauses it: 60 to 2592000; 86400 by default. */
  readonly pauseAfterSeconds?: number | null | undefined;
  /** A public http or https URL. */
  readonly url: string;
}

/** What changes; what is absent or null stays. */
export interface UpdateWebhookEndpointInput {
  /** False lets it deliver again. */
  readonly isPaused?: boolean | null | undefined;
  /** 1 to 200 characters. */
  readonly label?: string | null | undefined;
  /** 60 to 2592000. */
  readonly pauseAfterSeconds?: number | null | undefined;
  /** A public http or https URL. */
  readonly url?: string | null | undefined;
  /** Which one. */
  readonly uuid: string;
}

/** Which one. */
export interface DeleteWebhookEndpointInput {
  /** Which one. */
  readonly uuid: string;
}

/** What gets a new secret. */
export interface RotateWebhookEndpointSecretInput {
  /** How long the old one stays good: 0 to 604800; 86400 by default. */
  readonly overlapSeconds?: number | null | undefined;
  /** Which one. */
  readonly uuid: string;
}

/** Which one. */
export interface RedeliverWebhookInput {
  /** Which one. */
  readonly uuid: string;
}

/** Which entries. Conditions are joined by "and"; an absent one takes all. */
export interface AuditFilter {
  /** What was done. */
  readonly action?: AuditAction | null | undefined;
  /** Who did it: `user:<sub>`, `key:<id>`, `system`, `cli:<login>`. */
  readonly actor?: string | null | undefined;
  /** Done at or after. */
  readonly createdAfter?: string | null | undefined;
  /** Done before. */
  readonly createdBefore?: string | null | undefined;
  /** Its UUID or key. */
  readonly targetKey?: string | null | undefined;
  /** To what. */
  readonly targetType?: AuditTargetType | null | undefined;
}

/** A key to be made. It can do no more than who makes it. */
export interface CreateApiKeyInput {
  /** For the role `WORKER`: the definitions whose jobs it may claim, by key, 1 to 100; absent or null for all. */
  readonly definitionKeys?: readonly (string)[] | null | undefined;
  /** When it ends; absent or null for never. */
  readonly expiresAt?: string | null | undefined;
  /** Whether it takes registered operations only, by their ids; false by default. */
  readonly isPersistedOnly?: boolean | null | undefined;
  /** What it is for: 1 to 200 characters. */
  readonly name: string;
  /** What it may do at most. */
  readonly role: Role;
  /** What it is narrowed to, at least one; absent or null for all that its role may. */
  readonly scopes?: readonly (ApiKeyScope)[] | null | undefined;
}

/** Which key to revoke. */
export interface RevokeApiKeyInput {
  /** Its global id, or its UUID. */
  readonly id: string;
}

/** The tenant is the one that the caller acts on. */
export interface PauseTenantInput {
  /** Why, in words; kept in the audit log. 1 to 1000 characters. */
  readonly reason?: string | null | undefined;
}

/** The tenant is the one that the caller acts on. */
export interface ResumeTenantInput {
  /** Why, in words; kept in the audit log. 1 to 1000 characters. */
  readonly reason?: string | null | undefined;
}

/** Which video to delete. */
export interface DeleteVideoInput {
  /** Its global id, or its UUID. */
  readonly id: string;
}

/** Which clip to delete. */
export interface DeleteClipInput {
  /** Its global id, or its UUID. */
  readonly id: string;
}

/** A call. */
export interface SubmitCallInput {
  /** False removes an uploaded or fetched recording once its sound is taken out. True by default. */
  readonly keepRecording?: boolean | null | undefined;
  /** A language tag such as `en-US`; otherwise the provider finds out. */
  readonly language?: string | null | undefined;
  /** An object of at most 16 KiB, returned as it is. */
  readonly metadata?: unknown | null | undefined;
  /** Sound, or a video with sound. */
  readonly recording: CallRecordingInput;
  /** Names of those who speak, in the order of the channels; at most 20. */
  readonly speakers?: readonly (string)[] | null | undefined;
  /** 1 to 500 characters; by default the name of the file. */
  readonly title?: string | null | undefined;
}

/** Whose upload is complete. */
export interface CompleteCallUploadInput {
  /** The call’s global id, or its UUID. */
  readonly callId: string;
}

/** Which call to delete. */
export interface DeleteCallInput {
  /** Its global id, or its UUID. */
  readonly id: string;
}

/** Which links. Conditions are joined by "and"; an absent one takes all. */
export interface LinkFilter {
  /** Where they stand. */
  readonly status?: LinkStatus | null | undefined;
}

/** A link to read. */
export interface SubmitLinkInput {
  /** An id of your own, at most 1024 characters: the same one gives the same link, however often it is submitted. */
  readonly sourceRef?: string | null | undefined;
  /** An `http` or `https` URL of a public address, at most 4096 characters. */
  readonly url: string;
}

/** Which link to delete. */
export interface DeleteLinkInput {
  /** Its global id, or its UUID. */
  readonly id: string;
}

/** What a job is about. */
export interface JobSubjectInput {
  /** Its key: 1 to 255 characters. Of a video its global id or its UUID. */
  readonly key: string;
  /** Kind of thing: `video`, or one of your own. */
  readonly type: string;
}

/** An event to try a trigger with. */
export interface TestEventInput {
  /** Its data; `{}` by default. */
  readonly data?: unknown | null | undefined;
  /** Its name. */
  readonly name: string;
}

/** N starts in a period. */
export interface RateLimitInput {
  /** 1 to 1000000. */
  readonly count: number;
  /** 1 to 86400. */
  readonly periodSeconds: number;
}

/** Where a recording comes from: exactly one of these. */
export interface CallRecordingInput {
  /** It lies in the store, below `call-inbox/{tenant id}/`. It stays there, whatever happens to the call. */
  readonly objectKey?: string | null | undefined;
  /** It is put to the URL of the answer. */
  readonly upload?: CallUploadInput | null | undefined;
  /** It is fetched from this public address, up to 256 MiB. */
  readonly url?: string | null | undefined;
}

/** A recording that is going to be uploaded. */
export interface CallUploadInput {
  /** `audio/…`, `video/…` or `application/octet-stream`. When given, the upload must be sent with this type. */
  readonly contentType?: string | null | undefined;
  /** Name of the file; the title where none is given. */
  readonly fileName?: string | null | undefined;
  /** Its size; then also the most that the upload takes. */
  readonly sizeBytes?: string | null | undefined;
}

/** One piece of work: what to do, where it stands, and what came of it. */
export type JobRow = {
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
  /** Who enqueued it: `user:<sub>`, `key:<id>` or `system`. */
  readonly createdBy: string | null;
  /** Lower runs first; 100 by default. */
  readonly priority: number;
  /** Runs that ended in an error, a timeout or a lost lease. */
  readonly attemptCount: number;
  /** Runs in all before it goes to DEAD_LETTER. */
  readonly maxAttempts: number;
  /** Whether somebody asked to cancel it. While it runs, its worker is about to stop it. */
  readonly isCancelRequested: boolean;
  /** Why it was skipped, canceled or put off, in words. */
  readonly reason: string | null;
  /** How far its last run is or was; null when that run said nothing. */
  readonly progress: ({
    /** 0 to 100; null while the length of the work is unknown. */
    readonly percent: number | null;
    /** What it is at: `probe`, `transcode` … */
    readonly stage: string | null;
    /** The handler’s own words. */
    readonly message: string | null;
    /** Seconds that it still needed at `updatedAt`: its handler’s own estimate, else computed from how fast the percent grew. */
    readonly etaSeconds: number | null;
  }) | null;
  /** Why its last run failed, where it did. */
  readonly error: {
    /** Class of the error: `S3ObjectNotFound`, `TimedOut` … */
    readonly type: string;
    /** What went wrong. */
    readonly message: string;
  } | null;
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

/** One run of a job. */
export type Attempt = {
  /** The job’s `runNo` of that run; grows, may have gaps. */
  readonly attemptNo: number;
  /** How it ended. */
  readonly status: JobAttemptStatus;
  /** The worker process that had it. */
  readonly worker: string;
  /** Process id of the command, where it ran one. */
  readonly pid: number | null;
  /** When the worker took it. */
  readonly claimedAt: string;
  /** When its handler started; null when it never did. */
  readonly startedAt: string | null;
  /** When it ended; null while it runs. */
  readonly finishedAt: string | null;
  /** Milliseconds from start to end. */
  readonly wallMs: number | null;
  /** Milliseconds of processor time, where measured. */
  readonly cpuMs: number | null;
  /** Exit code of the command, where it ran one. */
  readonly exitCode: number | null;
  /** Signal that ended the command: `SIGKILL`. */
  readonly signal: string | null;
  /** End of the command’s output. */
  readonly stdoutTail: string | null;
  /** End of the command’s error output. */
  readonly stderrTail: string | null;
  /** Why it failed, where it did. */
  readonly error: {
    /** Class of the error: `S3ObjectNotFound`, `TimedOut` … */
    readonly type: string;
    /** What went wrong. */
    readonly message: string;
  } | null;
};

/** One piece of work: what to do, where it stands, and what came of it. */
export type Neighbour = {
  /** Global id. */
  readonly id: string;
  /** The plain key, as SQL, logs and object names have it. */
  readonly uuid: string;
  /** Current status. */
  readonly status: JobStatus;
  /** What kind of job it is. */
  readonly definition: {
    /** Its name: `transcode`. */
    readonly key: string;
  };
};

/** Makes jobs by itself: of events of a name, or at times. */
export type TriggerRow = {
  /** Global id. */
  readonly id: string;
  /** Its key in SQL, logs and `Job.sourceRef`. */
  readonly uuid: string;
  /** What people call it. */
  readonly label: string;
  /** What starts it. */
  readonly kind: TriggerKind;
  /** False: it makes no jobs. */
  readonly isEnabled: boolean;
  /** A cron expression of 5 fields, or 6 with seconds first. */
  readonly cron: string | null;
  /** The distance between its runs. */
  readonly everySeconds: number | null;
  /** The time of its only run. */
  readonly runAt: string | null;
  /** The event name that it listens to, or the beginning of names and `.*`; null for a schedule. */
  readonly eventName: string | null;
  /** The time zone of `cron`, by its IANA name. */
  readonly timeZone: string;
  /** Its times in English words; null for an event trigger. */
  readonly scheduleInWords: string | null;
  /** Its next run; null when there is none. */
  readonly nextRunAt: string | null;
  /** The time of its last run. */
  readonly lastRunAt: string | null;
  /** What becomes of missed runs. */
  readonly missedRuns: MissedRunsPolicy;
  /** What happens at times that do not exist. */
  readonly missingHour: MissingHourPolicy;
  /** What happens at times that come twice. */
  readonly repeatedHour: RepeatedHourPolicy;
  /** What an event’s data has to satisfy. */
  readonly condition: unknown | null;
  /** The payload of its jobs, with placeholders; secrets that stand in it, by the names of their fields, are shown as •••. */
  readonly payloadTemplate: unknown;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** The definition of its jobs. */
  readonly definition: {
    /** Its name: `transcode`. */
    readonly key: string;
  };
};

/** What became of one run of a schedule, or of one event at one trigger. */
export type TriggerRunRow = {
  /** Global id. */
  readonly id: string;
  /** When it was decided. */
  readonly createdAt: string;
  /** The run’s own time; null for an event, and for a run by hand. */
  readonly scheduledAt: string | null;
  /** What became of it. */
  readonly outcome: TriggerRunOutcome;
  /** Why there is no job. */
  readonly reason: string | null;
  /** The job that it made, or that stood for it; null when there was none or it is deleted. */
  readonly job: {
    /** Global id. */
    readonly id: string;
    /** The plain key, as SQL, logs and object names have it. */
    readonly uuid: string;
    /** Current status. */
    readonly status: JobStatus;
  } | null;
};

/** One piece of work: what to do, where it stands, and what came of it. */
export type WaitingJob = {
  /** Global id. */
  readonly id: string;
  /** The plain key, as SQL, logs and object names have it. */
  readonly uuid: string;
  /** Not to be run before. */
  readonly scheduledFor: string;
  /** What kind of job it is. */
  readonly definition: {
    /** Its name: `transcode`. */
    readonly key: string;
  };
  /** While it is queued: what it waits for. */
  readonly waitingFor: ({
    /** The first thing in its way. */
    readonly reason: WaitReason;
    /** The same in words. */
    readonly message: string;
    /** When that ends, where it can be said. */
    readonly endsAt: string | null;
  }) | null;
};

/** A page or a video that is read, summed up and found by meaning. */
export type LinkRow = {
  /** Global id. */
  readonly id: string;
  /** The plain key, as SQL and logs have it. */
  readonly uuid: string;
  /** What was submitted. */
  readonly url: string;
  /** Current status. */
  readonly status: LinkStatus;
  /** Why it failed. */
  readonly processingError: string | null;
  /** Its title. */
  readonly title: string | null;
  /** Where it is. */
  readonly siteName: string | null;
  /** What it is about. */
  readonly topics: readonly (string)[];
  /** What its text is; null where it has none. */
  readonly textKind: LinkTextKind | null;
  /** When it was submitted. */
  readonly createdAt: string;
};

export type ViewerVariables = {

};

export type ViewerResult = {
  /** The caller. */
  readonly viewer: ({
    /** `user:<sub>` or `key:<id>`; written beside what they do. */
    readonly name: string;
    /** What they may do. */
    readonly role: Role;
    /** What an API key is narrowed to; null for all that the role may. */
    readonly scopes: readonly (ApiKeyScope)[] | null;
    /** When the token ends, and with it every stream; null when it does not. */
    readonly expiresAt: string | null;
    /** The tenant they act for. */
    readonly tenant: {
      /** Global id. */
      readonly id: string;
      /** The plain key, as tokens carry it. */
      readonly uuid: string;
      /** Short name. */
      readonly slug: string;
      /** Name. */
      readonly name: string;
    } | null;
  });
};

export const Viewer: Operation<ViewerResult, ViewerVariables> = {
  name: 'Viewer',
  text: 'query Viewer{viewer{name role scopes expiresAt tenant{id uuid slug name}}}',
};

export type JobPageVariables = {
  readonly filter?: JobFilter | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
};

export type JobPageResult = {
  /** Jobs, newest first by default. There is no total: counting would read them all. */
  readonly jobs: ({
    /** True when looking for jobs ended before the page was full and before the list did: the filter matches few of many jobs. The page may be short, or empty; go on from `pageInfo.endCursor` (or `startCursor` with `last`), which stands at the last one that was looked at. */
    readonly isPartial: boolean;
    /** The rows of this page. */
    readonly nodes: readonly ((JobRow & {
      /** What asked for it. */
      readonly source: JobSource;
      /** The worker process that has or last had it. */
      readonly worker: string | null;
    }))[];
    /** Whether there is more, and where to go on. */
    readonly pageInfo: ({
      /** Cursor of the last row; null on an empty page. */
      readonly endCursor: string | null;
      /** Whether there are rows after this page. */
      readonly hasNextPage: boolean;
    });
  }) | null;
};

export const JobPage: Operation<JobPageResult, JobPageVariables> = {
  name: 'JobPage',
  text: 'query JobPage($filter:JobFilter$first:Int$after:String){jobs(filter:$filter first:$first after:$after){isPartial nodes{...JobRow source worker}pageInfo{endCursor hasNextPage}}}fragment JobRow on Job{id uuid version status isFinal definition{key}subject{type key}correlationId tags createdBy priority attemptCount maxAttempts isCancelRequested reason progress{percent stage message etaSeconds}error{type message}createdAt queuedAt scheduledFor startedAt finishedAt}',
};

export type DefinitionKeysVariables = {

};

export type DefinitionKeysResult = {
  /** What kinds of jobs there are, by their keys from a to z. */
  readonly jobDefinitions: {
    /** The rows of this page. */
    readonly nodes: readonly ({
      /** Its name: `transcode`. */
      readonly key: string;
    })[];
  } | null;
};

export const DefinitionKeys: Operation<DefinitionKeysResult, DefinitionKeysVariables> = {
  name: 'DefinitionKeys',
  text: 'query DefinitionKeys{jobDefinitions(first:100){nodes{key}}}',
};

export type JobDetailVariables = {
  readonly id: string;
};

export type JobDetailResult = {
  /** One job; null when it is not there or belongs to another tenant. */
  readonly job: (JobRow & {
    /** What asked for it. */
    readonly source: JobSource;
    /** Which trigger, event or earlier job asked for it. */
    readonly sourceRef: string | null;
    /** The worker process that has or last had it. */
    readonly worker: string | null;
    /** At most one active job of the tenant carries the same key. */
    readonly dedupeKey: string | null;
    /** How long a run may take, where that is not the definition’s. */
    readonly timeoutSeconds: number | null;
    /** Canceled with the reason `expired` when it has not begun by then. */
    readonly expiresAt: string | null;
    /** When its worker loses it unless it renews; null while nobody has it. */
    readonly leaseExpiresAt: string | null;
    /** Runs lost in a row with their workers. */
    readonly lostLeaseCount: number;
    /** How often it put itself off. */
    readonly snoozeCount: number;
    /** The time asked for, where that lay in the past. */
    readonly requestedFor: string | null;
    /** When a worker last took it. */
    readonly claimedAt: string | null;
    /** An object with notes of the caller that enqueued it; null without any. */
    readonly metadata: unknown | null;
    /** Whether the caller may cancel it now: it is active, nobody has asked to cancel it yet, and role, scopes and creator allow it. */
    readonly viewerCanCancel: boolean;
    /** Whether the caller may retry it now: it is FAILED, DEAD_LETTER or CANCELED, and role, scopes and creator allow it. */
    readonly viewerCanRetry: boolean;
    /** Whether the caller may replay it now: it has ended, and role and scopes allow to enqueue its definition, which is active. */
    readonly viewerCanReplay: boolean;
    /** While it is queued: what it waits for. */
    readonly waitingFor: ({
      /** The first thing in its way. */
      readonly reason: WaitReason;
      /** The same in words. */
      readonly message: string;
      /** When that ends, where it can be said. */
      readonly endsAt: string | null;
    }) | null;
    /** Its runs, oldest first, at most the newest 100; the one under way is the last. */
    readonly attempts: readonly (Attempt)[];
    /** The ended job that it was made from by `replayJob`; null without one, or when that is deleted. */
    readonly replayOf: Neighbour | null;
    /** The jobs that were made from it by `replayJob`, oldest first, at most 100. */
    readonly replays: readonly (Neighbour)[];
    /** The jobs that must end before it, oldest first. */
    readonly dependsOn: readonly (({
      /** What the waiting job does when the other does not succeed. */
      readonly policy: JobDependencyPolicy;
      /** The other job. */
      readonly job: (Neighbour & {
        /** The jobs that must end before it, oldest first. */
        readonly dependsOn: readonly ({
          /** What the waiting job does when the other does not succeed. */
          readonly policy: JobDependencyPolicy;
          /** The other job. */
          readonly job: Neighbour;
        })[];
      });
    }))[];
    /** The jobs that wait or waited for it, oldest first, at most 100. */
    readonly dependents: readonly (({
      /** What the waiting job does when the other does not succeed. */
      readonly policy: JobDependencyPolicy;
      /** The other job. */
      readonly job: (Neighbour & {
        /** The jobs that wait or waited for it, oldest first, at most 100. */
        readonly dependents: readonly ({
          /** What the waiting job does when the other does not succeed. */
          readonly policy: JobDependencyPolicy;
          /** The other job. */
          readonly job: Neighbour;
        })[];
      });
    }))[];
    /** The video it is about, where it is about one. */
    readonly video: {
      /** Global id. */
      readonly id: string;
      /** Its title. */
      readonly title: string;
    } | null;
  }) | null;
};

export const JobDetail: Operation<JobDetailResult, JobDetailVariables> = {
  name: 'JobDetail',
  text: 'query JobDetail($id:ID!){job(id:$id){...JobRow source sourceRef worker dedupeKey timeoutSeconds expiresAt leaseExpiresAt lostLeaseCount snoozeCount requestedFor claimedAt metadata viewerCanCancel viewerCanRetry viewerCanReplay waitingFor{reason message endsAt}attempts{...Attempt}replayOf{...Neighbour}replays{...Neighbour}dependsOn{policy job{...Neighbour dependsOn{policy job{...Neighbour}}}}dependents{policy job{...Neighbour dependents{policy job{...Neighbour}}}}video{id title}}}fragment JobRow on Job{id uuid version status isFinal definition{key}subject{type key}correlationId tags createdBy priority attemptCount maxAttempts isCancelRequested reason progress{percent stage message etaSeconds}error{type message}createdAt queuedAt scheduledFor startedAt finishedAt}fragment Attempt on JobAttempt{attemptNo status worker pid claimedAt startedAt finishedAt wallMs cpuMs exitCode signal stdoutTail stderrTail error{type message}}fragment Neighbour on Job{id uuid status definition{key}}',
};

export type JobDataVariables = {
  readonly id: string;
};

export type JobDataResult = {
  /** One job; null when it is not there or belongs to another tenant. */
  readonly job: ({
    /** What it was given; secret fields are shown as •••, to everybody. */
    readonly payload: unknown | null;
    /** What its handler returned; fields with names of secrets are shown as •••. */
    readonly result: unknown | null;
  }) | null;
};

export const JobData: Operation<JobDataResult, JobDataVariables> = {
  name: 'JobData',
  text: 'query JobData($id:ID!){job(id:$id){payload result}}',
};

export type JobFilesVariables = {
  readonly id: string;
  readonly first: number;
  readonly after?: string | null | undefined;
};

export type JobFilesResult = {
  /** One job; null when it is not there or belongs to another tenant. */
  readonly job: ({
    /** The files that it made, by kind and name, with numbers in names as numbers; none of most jobs. A file that a later job has replaced belongs to that job. Pieces of streams (`hls_segment`) are listed where `kind` asks for them. */
    readonly artifacts: ({
      /** The rows of this page. */
      readonly nodes: readonly (({
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
        /** Signed URL; it needs no token, and ends at `urlExpiresAt`. That of a stream opens what its playlist names, too. Null for an API key without the scope that files of its domain take (`videos:read` for those of videos, clips and calls). */
        readonly url: string | null;
      }))[];
      /** Whether there is more, and where to go on. */
      readonly pageInfo: ({
        /** Whether there are rows after this page. */
        readonly hasNextPage: boolean;
        /** Cursor of the last row; null on an empty page. */
        readonly endCursor: string | null;
      });
    });
  }) | null;
};

export const JobFiles: Operation<JobFilesResult, JobFilesVariables> = {
  name: 'JobFiles',
  text: 'query JobFiles($id:ID!$first:Int!$after:String){job(id:$id){artifacts(first:$first after:$after){nodes{name kind label contentType sizeBytes url}pageInfo{hasNextPage endCursor}}}}',
};

export type JobLogTailVariables = {
  readonly id: string;
  readonly last: number;
};

export type JobLogTailResult = {
  /** One job; null when it is not there or belongs to another tenant. */
  readonly job: ({
    /** What its handler wrote, oldest line first, run after run; `last` reads the end of it. */
    readonly log: ({
      /** The rows of this page. */
      readonly nodes: readonly (({
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
      }))[];
      /** Whether there is more, and where to go on. */
      readonly pageInfo: {
        /** Whether there are rows before this page. */
        readonly hasPreviousPage: boolean;
      };
    });
  }) | null;
};

export const JobLogTail: Operation<JobLogTailResult, JobLogTailVariables> = {
  name: 'JobLogTail',
  text: 'query JobLogTail($id:ID!$last:Int!){job(id:$id){log(last:$last){nodes{cursor runNo lineNo loggedAt level message data}pageInfo{hasPreviousPage}}}}',
};

export type UpdateJobVariables = {
  readonly input: UpdateJobInput;
};

export type UpdateJobResult = {
  /** Changes when a job runs, as long as it is QUEUED, and its tags and metadata in any state. Members may change their own. */
  readonly updateJob: ({
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
    readonly __typename: 'UpdateJobPayload';
    /** The job. */
    readonly job: {
      /** Global id. */
      readonly id: string;
    } | null;
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

export const UpdateJob: Operation<UpdateJobResult, UpdateJobVariables> = {
  name: 'UpdateJob',
  text: 'mutation UpdateJob($input:UpdateJobInput!){updateJob(input:$input){__typename ...on UpdateJobPayload{job{id}}...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type DefinitionsVariables = {

};

export type DefinitionsResult = {
  /** What kinds of jobs there are, by their keys from a to z. */
  readonly jobDefinitions: ({
    /** The rows of this page. */
    readonly nodes: readonly (({
      /** Global id. */
      readonly id: string;
      /** Its name: `transcode`. */
      readonly key: string;
      /** What it does. */
      readonly description: string;
      /** Whether it takes new jobs. */
      readonly isActive: boolean;
      /** Whether an operator has paused it: its jobs wait, in every tenant. */
      readonly isPaused: boolean;
      /** Since when its jobs are not claimed; null when they are. */
      readonly pausedAt: string | null;
      /** At most N of its jobs run at a time, in all tenants together; null for no limit. */
      readonly maxRunning: number | null;
      /** The same for each tenant by itself, where it has no limit of its own. */
      readonly maxRunningPerTenant: number | null;
      /** A run is ended after this many seconds. */
      readonly timeoutSeconds: number;
      /** Runs in all, the first included. */
      readonly maxAttempts: number;
      /** Seconds after which a silent worker loses the job. */
      readonly leaseSeconds: number;
      /** Worker processes that serve it now; 0: its jobs wait. */
      readonly workerCount: number;
      /** JSON Schema of the payload. */
      readonly payloadSchema: unknown;
    }))[];
  }) | null;
};

export const Definitions: Operation<DefinitionsResult, DefinitionsVariables> = {
  name: 'Definitions',
  text: 'query Definitions{jobDefinitions(first:100){nodes{id key description isActive isPaused pausedAt maxRunning maxRunningPerTenant timeoutSeconds maxAttempts leaseSeconds workerCount payloadSchema}}}',
};

export type DefinitionVariables = {
  readonly key: string;
};

export type DefinitionResult = {
  /** One kind of job; null when no definition has the key. */
  readonly jobDefinition: ({
    /** Global id. */
    readonly id: string;
    /** Its name: `transcode`. */
    readonly key: string;
    /** What it does. */
    readonly description: string;
    /** Whether it takes new jobs. */
    readonly isActive: boolean;
    /** Whether an operator has paused it: its jobs wait, in every tenant. */
    readonly isPaused: boolean;
    /** Since when its jobs are not claimed; null when they are. */
    readonly pausedAt: string | null;
    /** Since when nothing is enqueued or claimed of it; null when it is not archived. */
    readonly archivedAt: string | null;
    /** At most N of its jobs run at a time, in all tenants together; null for no limit. */
    readonly maxRunning: number | null;
    /** The same for each tenant by itself, where it has no limit of its own. */
    readonly maxRunningPerTenant: number | null;
    /** A run is ended after this many seconds. */
    readonly timeoutSeconds: number;
    /** Runs in all, the first included. */
    readonly maxAttempts: number;
    /** Seconds after which a silent worker loses the job. */
    readonly leaseSeconds: number;
    /** How long finished jobs are kept; null: as the tenant or the configuration says. */
    readonly retentionSeconds: number | null;
    /** When a failed run is tried again. */
    readonly retryPolicy: unknown;
    /** At most N starts in a period, in all tenants together; null for no limit. */
    readonly rateLimit: {
      /** Starts. */
      readonly count: number;
      /** Within N seconds. */
      readonly periodSeconds: number;
    } | null;
    /** Worker processes that serve it now; 0: its jobs wait. */
    readonly workerCount: number;
    /** JSON Schema of the payload. */
    readonly payloadSchema: unknown;
    /** When it was last changed. */
    readonly updatedAt: string;
  }) | null;
};

export const Definition: Operation<DefinitionResult, DefinitionVariables> = {
  name: 'Definition',
  text: 'query Definition($key:String!){jobDefinition(key:$key){id key description isActive isPaused pausedAt archivedAt maxRunning maxRunningPerTenant timeoutSeconds maxAttempts leaseSeconds retentionSeconds retryPolicy rateLimit{count periodSeconds}workerCount payloadSchema updatedAt}}',
};

export type PauseDefinitionVariables = {
  readonly input: PauseJobDefinitionInput;
};

export type PauseDefinitionResult = {
  /** Stops the claims of a definition’s jobs in every tenant; those that run go on. For super admins. */
  readonly pauseJobDefinition: ({
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
    readonly __typename: 'PauseJobDefinitionPayload';
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

export const PauseDefinition: Operation<PauseDefinitionResult, PauseDefinitionVariables> = {
  name: 'PauseDefinition',
  text: 'mutation PauseDefinition($input:PauseJobDefinitionInput!){pauseJobDefinition(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type ResumeDefinitionVariables = {
  readonly input: ResumeJobDefinitionInput;
};

export type ResumeDefinitionResult = {
  /** Lets a paused definition’s jobs be claimed again. For super admins. */
  readonly resumeJobDefinition: ({
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
    readonly __typename: 'ResumeJobDefinitionPayload';
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

export const ResumeDefinition: Operation<ResumeDefinitionResult, ResumeDefinitionVariables> = {
  name: 'ResumeDefinition',
  text: 'mutation ResumeDefinition($input:ResumeJobDefinitionInput!){resumeJobDefinition(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type TriggersVariables = {
  readonly filter?: TriggerFilter | null | undefined;
};

export type TriggersResult = {
  /** The tenant’s triggers, newest first. */
  readonly triggers: ({
    /** The rows of this page. */
    readonly nodes: readonly ((TriggerRow & {
      /** Its runs to come, from `nextRunAt` on, without their jitter, with marks where a change of the clock matters; none while it is disabled, and of an event trigger. */
      readonly nextRuns: readonly ({
        /** When. */
        readonly scheduledAt: string;
        /** How a change of the clock touches it. */
        readonly clockChange: ClockChange;
      })[];
      /** What became of its runs, newest first. */
      readonly runs: {
        /** The rows of this page. */
        readonly nodes: readonly (TriggerRunRow)[];
      };
    }))[];
  }) | null;
};

export const Triggers: Operation<TriggersResult, TriggersVariables> = {
  name: 'Triggers',
  text: 'query Triggers($filter:TriggerFilter){triggers(first:100 filter:$filter){nodes{...TriggerRow nextRuns(count:3){scheduledAt clockChange}runs(first:12){nodes{...TriggerRunRow}}}}}fragment TriggerRow on Trigger{id uuid label kind isEnabled cron everySeconds runAt eventName timeZone scheduleInWords nextRunAt lastRunAt missedRuns missingHour repeatedHour condition payloadTemplate updatedAt definition{key}}fragment TriggerRunRow on TriggerRun{id createdAt scheduledAt outcome reason job{id uuid status}}',
};

export type EventsVariables = {
  readonly filter?: EventFilter | null | undefined;
};

export type EventsResult = {
  /** The tenant’s events, newest first. */
  readonly events: ({
    /** The rows of this page. */
    readonly nodes: readonly (({
      /** Global id. */
      readonly id: string;
      /** Its key in SQL, logs and `Job.sourceRef`. */
      readonly uuid: string;
      /** Its name: `provider.folder.updated`. */
      readonly name: string;
      /** What templates and conditions read; secrets, by the names of their fields, are shown as •••. */
      readonly data: unknown;
      /** When it was emitted. */
      readonly createdAt: string;
      /** Who emitted it. */
      readonly createdBy: string | null;
      /** When its jobs were made; null before. */
      readonly processedAt: string | null;
      /** Jobs that it made. */
      readonly jobCount: number;
      /** Triggers that listened to its name, disabled ones too; 0: no trigger does. */
      readonly triggerCount: number;
      /** What became of it at each trigger that listens to its name, and why. */
      readonly runs: ({
        /** The rows of this page. */
        readonly nodes: readonly ((TriggerRunRow & {
          /** The trigger. */
          readonly trigger: {
            /** What people call it. */
            readonly label: string;
          } | null;
        }))[];
      });
    }))[];
  }) | null;
};

export const Events: Operation<EventsResult, EventsVariables> = {
  name: 'Events',
  text: 'query Events($filter:EventFilter){events(first:50 filter:$filter){nodes{id uuid name data createdAt createdBy processedAt jobCount triggerCount runs(first:10){nodes{...TriggerRunRow trigger{label}}}}}}fragment TriggerRunRow on TriggerRun{id createdAt scheduledAt outcome reason job{id uuid status}}',
};

export type SchedulePreviewVariables = {
  readonly input: SchedulePreviewInput;
  readonly count?: number | null | undefined;
  readonly after?: string | null | undefined;
};

export type SchedulePreviewResult = {
  /** The next runs of a schedule, with marks where a change of the clock matters. Nothing is saved. */
  readonly schedulePreview: {
    /** In English words: `At 02:30, every day`. */
    readonly scheduleInWords: string;
    /** The zone, in its usual spelling. */
    readonly timeZone: string;
    /** The next runs, in order. */
    readonly runs: readonly ({
      /** When. */
      readonly scheduledAt: string;
      /** The same in the schedule’s zone, with its offset: `2026-03-29T03:00:00+02:00`. */
      readonly localTime: string;
      /** How a change of the clock touches it. */
      readonly clockChange: ClockChange;
    })[];
  } | null;
};

export const SchedulePreview: Operation<SchedulePreviewResult, SchedulePreviewVariables> = {
  name: 'SchedulePreview',
  text: 'query SchedulePreview($input:SchedulePreviewInput!$count:Int$after:DateTime){schedulePreview(input:$input count:$count after:$after){scheduleInWords timeZone runs{scheduledAt localTime clockChange}}}',
};

export type TestTriggerVariables = {
  readonly input: TestTriggerInput;
};

export type TestTriggerResult = {
  /** What a trigger would do with an event or at a time, without doing it. For tenant admins. */
  readonly testTrigger: ({
    /** What would become of it; null: the trigger does not listen to events of this name. */
    readonly outcome: TriggerRunOutcome | null;
    /** The payload of the job, with the schema’s defaults; secrets are masked. */
    readonly payload: unknown | null;
    /** Why there would be no job. */
    readonly reason: string | null;
  }) | null;
};

export const TestTrigger: Operation<TestTriggerResult, TestTriggerVariables> = {
  name: 'TestTrigger',
  text: 'query TestTrigger($input:TestTriggerInput!){testTrigger(input:$input){outcome payload reason}}',
};

export type CreateTriggerVariables = {
  readonly input: CreateTriggerInput;
};

export type CreateTriggerResult = {
  /** Makes a trigger. For tenant admins. */
  readonly createTrigger: ({
    readonly __typename: 'CreateTriggerPayload';
    /** The trigger. */
    readonly trigger: {
      /** Global id. */
      readonly id: string;
    } | null;
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

export const CreateTrigger: Operation<CreateTriggerResult, CreateTriggerVariables> = {
  name: 'CreateTrigger',
  text: 'mutation CreateTrigger($input:CreateTriggerInput!){createTrigger(input:$input){__typename ...on CreateTriggerPayload{trigger{id}}...Failure ...on InvalidPayloadError{problems{field message allowed}}}}fragment Failure on DomainFailure{code message field allowed}',
};

export type UpdateTriggerVariables = {
  readonly input: UpdateTriggerInput;
};

export type UpdateTriggerResult = {
  /** Changes a trigger, or enables or disables it. For tenant admins. */
  readonly updateTrigger: ({
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
    readonly __typename: 'UnknownDefinitionError';
    /** What is wrong, for programs. */
    readonly code: DomainFailureCode;
    /** What is wrong, for people. */
    readonly message: string;
    /** The argument at fault, as a path: `input.payload.steps[2]`. */
    readonly field: string | null;
    /** What would have been taken there. */
    readonly allowed: string | null;
  } | {
    readonly __typename: 'UpdateTriggerPayload';
  });
};

export const UpdateTrigger: Operation<UpdateTriggerResult, UpdateTriggerVariables> = {
  name: 'UpdateTrigger',
  text: 'mutation UpdateTrigger($input:UpdateTriggerInput!){updateTrigger(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type DeleteTriggerVariables = {
  readonly input: DeleteTriggerInput;
};

export type DeleteTriggerResult = {
  /** Deletes a trigger and the record of its runs. For tenant admins. */
  readonly deleteTrigger: ({
    readonly __typename: 'DeleteTriggerPayload';
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
  });
};

export const DeleteTrigger: Operation<DeleteTriggerResult, DeleteTriggerVariables> = {
  name: 'DeleteTrigger',
  text: 'mutation DeleteTrigger($input:DeleteTriggerInput!){deleteTrigger(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type RunScheduleNowVariables = {
  readonly input: RunScheduleNowInput;
};

export type RunScheduleNowResult = {
  /** Enqueues one job of a schedule at once, enabled or not, beside its runs. For tenant admins. */
  readonly runScheduleNow: ({
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
    readonly __typename: 'RunScheduleNowPayload';
    /** The job. */
    readonly job: {
      /** Global id. */
      readonly id: string;
      /** The plain key, as SQL, logs and object names have it. */
      readonly uuid: string;
    } | null;
  });
};

export const RunScheduleNow: Operation<RunScheduleNowResult, RunScheduleNowVariables> = {
  name: 'RunScheduleNow',
  text: 'mutation RunScheduleNow($input:RunScheduleNowInput!){runScheduleNow(input:$input){__typename ...on RunScheduleNowPayload{job{id uuid}}...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type EmitEventVariables = {
  readonly input: EmitEventInput;
};

export type EmitEventResult = {
  /** Writes an event. Triggers that listen to its name make their jobs right after, each once. */
  readonly emitEvent: ({
    readonly __typename: 'EmitEventPayload';
    /** The event. */
    readonly event: {
      /** Global id. */
      readonly id: string;
    } | null;
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
  });
};

export const EmitEvent: Operation<EmitEventResult, EmitEventVariables> = {
  name: 'EmitEvent',
  text: 'mutation EmitEvent($input:EmitEventInput!){emitEvent(input:$input){__typename ...on EmitEventPayload{event{id}}...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type WorkersVariables = {

};

export type WorkersResult = {
  /** The worker processes, newest first, at most 1000. For super admins. */
  readonly workers: readonly (({
    /** Its name, random at each start; as `JobAttempt.worker` says it. */
    readonly name: string;
    /** The machine. */
    readonly hostname: string;
    /** Process id on that machine. */
    readonly pid: number;
    /** Version of the program. */
    readonly version: string;
    /** Jobs that it runs at a time, of all kinds. */
    readonly concurrency: number;
    /** Jobs that it had when it was last seen. */
    readonly runningCount: number;
    /** When it started. */
    readonly startedAt: string;
    /** When it was last seen. */
    readonly lastSeenAt: string;
    /** It has not been seen for 30 seconds: it is dead, frozen or cut off. */
    readonly isStale: boolean;
    /** Since when it claims no more, because it is stopping. */
    readonly stoppingAt: string | null;
    /** What it runs. */
    readonly jobTypes: readonly ({
      /** Key of the definition. */
      readonly definitionKey: string;
      /** Jobs of it that the process runs at a time. */
      readonly concurrency: number;
    })[];
    /** What it runs at the moment, by kind. */
    readonly runs: readonly (({
      /** Key of the definition. */
      readonly definitionKey: string;
      /** How many jobs, of all tenants. */
      readonly jobCount: number;
      /** When it took the first of them. */
      readonly oldestClaimedAt: string;
      /** When it loses the first of them unless it renews its lease. */
      readonly leaseExpiresAt: string | null;
    }))[];
  }))[] | null;
};

export const Workers: Operation<WorkersResult, WorkersVariables> = {
  name: 'Workers',
  text: 'query Workers{workers{name hostname pid version concurrency runningCount startedAt lastSeenAt isStale stoppingAt jobTypes{definitionKey concurrency}runs{definitionKey jobCount oldestClaimedAt leaseExpiresAt}}}',
};

export type SettingsVariables = {

};

export type SettingsResult = {
  /** The tenant that the caller acts on, with its limits. */
  readonly tenant: ({
    /** Global id. */
    readonly id: string;
    /** Short name. */
    readonly slug: string;
    /** Name. */
    readonly name: string;
    /** Whether none of its jobs are claimed. */
    readonly isPaused: boolean;
    /** Since when none of its jobs are claimed; null when they are. */
    readonly pausedAt: string | null;
    /** At most N of its jobs run at a time; null for no limit. */
    readonly maxRunning: number | null;
    /** Its share of claims against other tenants, 1 to 100. */
    readonly weight: number;
    /** How long its finished jobs are kept, where their definition does not say. */
    readonly retentionSeconds: number | null;
    /** When it was made. */
    readonly createdAt: string;
    /** At most N of its jobs start in a period; null for no limit. */
    readonly rateLimit: {
      /** Starts. */
      readonly count: number;
      /** Within N seconds. */
      readonly periodSeconds: number;
    } | null;
    /** What it keeps in the store, and how much it may; null for a tenant that the caller does not act on. */
    readonly storage: ({
      /** Bytes of originals, of the streams and pictures that are made of them, which count from the end of their stage on, of clips, of recordings of calls with their sound, and of files of jobs. */
      readonly usedBytes: string;
      /** Bytes of uploads that are under way, or declared and may still begin. */
      readonly reservedBytes: string;
      /** How many both may come to; null for no limit. A larger upload is refused with `QUOTA_EXCEEDED`. */
      readonly limitBytes: string | null;
    }) | null;
    /** Its own limits for single definitions; null for a tenant that the caller does not act on. */
    readonly laneLimits: readonly (({
      /** N run at a time. */
      readonly maxRunning: number | null;
      /** N starts in a period. */
      readonly rateLimit: {
        /** Starts. */
        readonly count: number;
        /** Within N seconds. */
        readonly periodSeconds: number;
      } | null;
      /** For whose jobs. */
      readonly definition: {
        /** Its name: `transcode`. */
        readonly key: string;
      };
    }))[] | null;
    /** Who is on its list, newest first; an empty list decides over nobody. For tenant admins. */
    readonly members: {
      /** The rows of this page. */
      readonly nodes: readonly ({
        /** Global id. */
        readonly id: string;
        /** Who: the `sub` of their tokens. */
        readonly subject: string;
        /** What they may do at most: `MEMBER` or `TENANT_ADMIN`. */
        readonly role: Role;
        /** Since when they are on it. */
        readonly createdAt: string;
      })[];
    } | null;
    /** Its API keys, newest first, ended ones too. For tenant admins. */
    readonly apiKeys: ({
      /** The rows of this page. */
      readonly nodes: readonly (({
        /** Global id. */
        readonly id: string;
        /** What it is for. */
        readonly name: string;
        /** What it may do at most. */
        readonly role: Role;
        /** What it is narrowed to; null for all that its role may. */
        readonly scopes: readonly (ApiKeyScope)[] | null;
        /** When it was made. */
        readonly createdAt: string;
        /** Who made it: `user:<sub>`, `key:<id>`, `system`. */
        readonly createdBy: string | null;
        /** When it ends; null when it does not. */
        readonly expiresAt: string | null;
        /** When it was revoked; null while it is good. */
        readonly revokedAt: string | null;
        /** When somebody last came in with it, to the minute; null when nobody has. */
        readonly lastUsedAt: string | null;
      }))[];
    }) | null;
  }) | null;
};

export const Settings: Operation<SettingsResult, SettingsVariables> = {
  name: 'Settings',
  text: 'query Settings{tenant{id slug name isPaused pausedAt maxRunning weight retentionSeconds createdAt rateLimit{count periodSeconds}storage{usedBytes reservedBytes limitBytes}laneLimits{maxRunning rateLimit{count periodSeconds}definition{key}}members(first:100){nodes{id subject role createdAt}}apiKeys(first:100){nodes{id name role scopes createdAt createdBy expiresAt revokedAt lastUsedAt}}}}',
};

export type UpdateTenantVariables = {
  readonly input: UpdateTenantInput;
};

export type UpdateTenantResult = {
  /** Changes the tenant that the caller acts on, or another one. */
  readonly updateTenant: ({
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
    readonly __typename: 'UpdateTenantPayload';
  });
};

export const UpdateTenant: Operation<UpdateTenantResult, UpdateTenantVariables> = {
  name: 'UpdateTenant',
  text: 'mutation UpdateTenant($input:UpdateTenantInput!){updateTenant(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type CreateTenantVariables = {
  readonly input: CreateTenantInput;
};

export type CreateTenantResult = {
  /** Makes a tenant. For super admins, who act on it with the header `x-millrace-tenant`. */
  readonly createTenant: ({
    readonly __typename: 'AlreadyExistsError';
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
    readonly __typename: 'CreateTenantPayload';
    /** The tenant. */
    readonly tenant: {
      /** Global id. */
      readonly id: string;
      /** The plain key, as tokens carry it. */
      readonly uuid: string;
    } | null;
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
  });
};

export const CreateTenant: Operation<CreateTenantResult, CreateTenantVariables> = {
  name: 'CreateTenant',
  text: 'mutation CreateTenant($input:CreateTenantInput!){createTenant(input:$input){__typename ...on CreateTenantPayload{tenant{id uuid}}...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type DeleteTenantVariables = {
  readonly input: DeleteTenantInput;
};

export type DeleteTenantResult = {
  /** Deletes a tenant: at once nobody acts on it and none of its jobs starts; workers then remove its jobs, files and all else, within a day or so. For super admins. */
  readonly deleteTenant: ({
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
    readonly __typename: 'DeleteTenantPayload';
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
  });
};

export const DeleteTenant: Operation<DeleteTenantResult, DeleteTenantVariables> = {
  name: 'DeleteTenant',
  text: 'mutation DeleteTenant($input:DeleteTenantInput!){deleteTenant(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type SetMemberVariables = {
  readonly input: SetMemberInput;
};

export type SetMemberResult = {
  /** Puts a person on the list of the tenant that the caller acts on, or gives them another role. From its first row on the list decides: who is not on it is nobody. For tenant admins. */
  readonly setMember: ({
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
    readonly __typename: 'SetMemberPayload';
  });
};

export const SetMember: Operation<SetMemberResult, SetMemberVariables> = {
  name: 'SetMember',
  text: 'mutation SetMember($input:SetMemberInput!){setMember(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type RemoveMemberVariables = {
  readonly input: RemoveMemberInput;
};

export type RemoveMemberResult = {
  /** Takes a person off the list of the tenant that the caller acts on, and ends their streams. Without its last row the tenant takes tokens at their word again. For tenant admins. */
  readonly removeMember: ({
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
    readonly __typename: 'RemoveMemberPayload';
  });
};

export const RemoveMember: Operation<RemoveMemberResult, RemoveMemberVariables> = {
  name: 'RemoveMember',
  text: 'mutation RemoveMember($input:RemoveMemberInput!){removeMember(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type SetLaneLimitVariables = {
  readonly input: SetLaneLimitInput;
};

export type SetLaneLimitResult = {
  /** Sets limits of the tenant that the caller acts on for one definition. For super admins. */
  readonly setLaneLimit: ({
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
    readonly __typename: 'SetLaneLimitPayload';
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

export const SetLaneLimit: Operation<SetLaneLimitResult, SetLaneLimitVariables> = {
  name: 'SetLaneLimit',
  text: 'mutation SetLaneLimit($input:SetLaneLimitInput!){setLaneLimit(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type RemoveLaneLimitVariables = {
  readonly input: RemoveLaneLimitInput;
};

export type RemoveLaneLimitResult = {
  /** Takes the limits of the tenant that the caller acts on for one definition away. For super admins. */
  readonly removeLaneLimit: ({
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
    readonly __typename: 'RemoveLaneLimitPayload';
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

export const RemoveLaneLimit: Operation<RemoveLaneLimitResult, RemoveLaneLimitVariables> = {
  name: 'RemoveLaneLimit',
  text: 'mutation RemoveLaneLimit($input:RemoveLaneLimitInput!){removeLaneLimit(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type WebhooksVariables = {

};

export type WebhooksResult = {
  /** The tenant’s webhook endpoints, newest first. For tenant admins. */
  readonly webhookEndpoints: ({
    /** The rows of this page. */
    readonly nodes: readonly (({
      /** Its key: `endpoint` in the payload template of a trigger of `deliver-webhook`. */
      readonly uuid: string;
      /** What people call it. */
      readonly label: string;
      /** The address. */
      readonly url: string;
      /** Nothing is delivered. */
      readonly isPaused: boolean;
      /** Since when it is paused. */
      readonly pausedAt: string | null;
      /** Why it is paused. */
      readonly pauseReason: string | null;
      /** It is paused by itself when it has failed for this long, with at least 20 failures in a row. */
      readonly pauseAfterSeconds: number;
      /** Failures in a row. */
      readonly consecutiveFailureCount: number;
      /** Since when it fails. */
      readonly failingSinceAt: string | null;
      /** When something was last delivered. */
      readonly lastDeliveredAt: string | null;
    }))[];
  }) | null;
};

export const Webhooks: Operation<WebhooksResult, WebhooksVariables> = {
  name: 'Webhooks',
  text: 'query Webhooks{webhookEndpoints(first:100){nodes{uuid label url isPaused pausedAt pauseReason pauseAfterSeconds consecutiveFailureCount failingSinceAt lastDeliveredAt}}}',
};

export type WebhookDeliveriesVariables = {
  readonly uuid?: string | null | undefined;
  readonly first?: number | null | undefined;
};

export type WebhookDeliveriesResult = {
  /** The tenant’s webhook endpoints, newest first. For tenant admins. */
  readonly webhookEndpoints: ({
    /** The rows of this page. */
    readonly nodes: readonly (({
      /** Its key: `endpoint` in the payload template of a trigger of `deliver-webhook`. */
      readonly uuid: string;
      /** Attempts, newest first. */
      readonly deliveries: ({
        /** The rows of this page. */
        readonly nodes: readonly (({
          /** Its key. */
          readonly uuid: string;
          /** The header `webhook-id`: the same for each attempt of one event. */
          readonly messageKey: string;
          /** Name of the event. */
          readonly eventName: string;
          /** How it went. */
          readonly outcome: WebhookDeliveryOutcome;
          /** The answer’s status; null where there was no answer. */
          readonly statusCode: number | null;
          /** What went wrong. */
          readonly failure: string | null;
          /** The beginning of the answer, at most 2000 characters. */
          readonly answerText: string | null;
          /** How long it took. */
          readonly durationMs: number;
          /** When it was made. */
          readonly attemptedAt: string;
          /** The job that made it; null when it has been deleted. */
          readonly job: {
            /** Global id. */
            readonly id: string;
            /** The plain key, as SQL, logs and object names have it. */
            readonly uuid: string;
          } | null;
        }))[];
      });
    }))[];
  }) | null;
};

export const WebhookDeliveries: Operation<WebhookDeliveriesResult, WebhookDeliveriesVariables> = {
  name: 'WebhookDeliveries',
  text: 'query WebhookDeliveries($uuid:UUID$first:Int){webhookEndpoints(first:1 uuid:$uuid){nodes{uuid deliveries(first:$first){nodes{uuid messageKey eventName outcome statusCode failure answerText durationMs attemptedAt job{id uuid}}}}}}',
};

export type CreateWebhookEndpointVariables = {
  readonly input: CreateWebhookEndpointInput;
};

export type CreateWebhookEndpointResult = {
  /** Makes an endpoint that triggers of `deliver-webhook` may deliver to. For tenant admins. */
  readonly createWebhookEndpoint: ({
    readonly __typename: 'CreateWebhookEndpointPayload';
    /** Its key. */
    readonly uuid: string;
    /** Its secret, shown here and never again. */
    readonly secret: string;
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

export const CreateWebhookEndpoint: Operation<CreateWebhookEndpointResult, CreateWebhookEndpointVariables> = {
  name: 'CreateWebhookEndpoint',
  text: 'mutation CreateWebhookEndpoint($input:CreateWebhookEndpointInput!){createWebhookEndpoint(input:$input){__typename ...on CreateWebhookEndpointPayload{uuid secret}...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type UpdateWebhookEndpointVariables = {
  readonly input: UpdateWebhookEndpointInput;
};

export type UpdateWebhookEndpointResult = {
  /** Changes, pauses or resumes an endpoint. For tenant admins. */
  readonly updateWebhookEndpoint: ({
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
    readonly __typename: 'UpdateWebhookEndpointPayload';
  });
};

export const UpdateWebhookEndpoint: Operation<UpdateWebhookEndpointResult, UpdateWebhookEndpointVariables> = {
  name: 'UpdateWebhookEndpoint',
  text: 'mutation UpdateWebhookEndpoint($input:UpdateWebhookEndpointInput!){updateWebhookEndpoint(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type DeleteWebhookEndpointVariables = {
  readonly input: DeleteWebhookEndpointInput;
};

export type DeleteWebhookEndpointResult = {
  /** Deletes an endpoint. For tenant admins. */
  readonly deleteWebhookEndpoint: ({
    readonly __typename: 'DeleteWebhookEndpointPayload';
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
  });
};

export const DeleteWebhookEndpoint: Operation<DeleteWebhookEndpointResult, DeleteWebhookEndpointVariables> = {
  name: 'DeleteWebhookEndpoint',
  text: 'mutation DeleteWebhookEndpoint($input:DeleteWebhookEndpointInput!){deleteWebhookEndpoint(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type RotateWebhookSecretVariables = {
  readonly input: RotateWebhookEndpointSecretInput;
};

export type RotateWebhookSecretResult = {
  /** Gives an endpoint a new secret; the old one stays good for a while. For tenant admins. */
  readonly rotateWebhookEndpointSecret: ({
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
    readonly __typename: 'RotateWebhookEndpointSecretPayload';
    /** Its key. */
    readonly uuid: string;
    /** Its secret, shown here and never again. */
    readonly secret: string;
  });
};

export const RotateWebhookSecret: Operation<RotateWebhookSecretResult, RotateWebhookSecretVariables> = {
  name: 'RotateWebhookSecret',
  text: 'mutation RotateWebhookSecret($input:RotateWebhookEndpointSecretInput!){rotateWebhookEndpointSecret(input:$input){__typename ...on RotateWebhookEndpointSecretPayload{uuid secret}...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type RedeliverWebhookVariables = {
  readonly input: RedeliverWebhookInput;
};

export type RedeliverWebhookResult = {
  /** Delivers an event again, under the same `webhook-id`. For tenant admins. */
  readonly redeliverWebhook: ({
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
    readonly __typename: 'RedeliverWebhookPayload';
    /** The job that delivers it. */
    readonly jobUuid: string;
  });
};

export const RedeliverWebhook: Operation<RedeliverWebhookResult, RedeliverWebhookVariables> = {
  name: 'RedeliverWebhook',
  text: 'mutation RedeliverWebhook($input:RedeliverWebhookInput!){redeliverWebhook(input:$input){__typename ...on RedeliverWebhookPayload{jobUuid}...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type LongestWaitingVariables = {

};

export type LongestWaitingResult = {
  /** Jobs, newest first by default. There is no total: counting would read them all. */
  readonly due: {
    /** The rows of this page. */
    readonly nodes: readonly (WaitingJob)[];
  } | null;
  /** Jobs, newest first by default. There is no total: counting would read them all. */
  readonly others: {
    /** The rows of this page. */
    readonly nodes: readonly (WaitingJob)[];
  } | null;
};

export const LongestWaiting: Operation<LongestWaitingResult, LongestWaitingVariables> = {
  name: 'LongestWaiting',
  text: 'query LongestWaiting{due:jobs(filter:{due:true}orderBy:{field:SCHEDULED_FOR direction:ASC}first:6){nodes{...WaitingJob}}others:jobs(filter:{statuses:[QUEUED]due:false}last:20){nodes{...WaitingJob}}}fragment WaitingJob on Job{id uuid scheduledFor definition{key}waitingFor{reason message endsAt}}',
};

export type AuditLogVariables = {
  readonly filter?: AuditFilter | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
};

export type AuditLogResult = {
  /** Who did what in the tenant, newest first; for its admins. What is done to job definitions is in the system tenant’s. */
  readonly auditLog: ({
    /** The rows of this page. */
    readonly nodes: readonly (({
      /** Global id. */
      readonly id: string;
      /** When. */
      readonly createdAt: string;
      /** Who did it: `user:<sub>`, `key:<id>`, `system`, `cli:<login>`. */
      readonly actor: string;
      /** What was done; null for an action that only a later version knows. */
      readonly action: AuditAction | null;
      /** To what; null for a kind that only a later version knows. */
      readonly targetType: AuditTargetType | null;
      /** Its UUID or key; null for a selection of jobs. */
      readonly targetKey: string | null;
      /** Old and new values; for a selection its filter and the counts. */
      readonly details: unknown;
    }))[];
    /** Whether there is more, and where to go on. */
    readonly pageInfo: ({
      /** Cursor of the last row; null on an empty page. */
      readonly endCursor: string | null;
      /** Whether there are rows after this page. */
      readonly hasNextPage: boolean;
    });
  }) | null;
};

export const AuditLog: Operation<AuditLogResult, AuditLogVariables> = {
  name: 'AuditLog',
  text: 'query AuditLog($filter:AuditFilter$first:Int$after:String){auditLog(filter:$filter first:$first after:$after){nodes{id createdAt actor action targetType targetKey details}pageInfo{endCursor hasNextPage}}}',
};

export type CreateApiKeyVariables = {
  readonly input: CreateApiKeyInput;
};

export type CreateApiKeyResult = {
  /** Makes an API key of the tenant that the caller acts on. For tenant admins. */
  readonly createApiKey: ({
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
    readonly __typename: 'CreateApiKeyPayload';
    /** The key itself: `mr_…`. It is shown here and never again; the database keeps its hash. */
    readonly secret: string;
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
  });
};

export const CreateApiKey: Operation<CreateApiKeyResult, CreateApiKeyVariables> = {
  name: 'CreateApiKey',
  text: 'mutation CreateApiKey($input:CreateApiKeyInput!){createApiKey(input:$input){__typename ...on CreateApiKeyPayload{secret}...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type RevokeApiKeyVariables = {
  readonly input: RevokeApiKeyInput;
};

export type RevokeApiKeyResult = {
  /** Ends an API key of the tenant that the caller acts on, and every stream that came with it. Again is nothing. For tenant admins. */
  readonly revokeApiKey: ({
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
    readonly __typename: 'RevokeApiKeyPayload';
  });
};

export const RevokeApiKey: Operation<RevokeApiKeyResult, RevokeApiKeyVariables> = {
  name: 'RevokeApiKey',
  text: 'mutation RevokeApiKey($input:RevokeApiKeyInput!){revokeApiKey(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type PauseTenantVariables = {
  readonly input: PauseTenantInput;
};

export type PauseTenantResult = {
  /** Stops the claims of the tenant’s jobs; those that run go on. For tenant admins. */
  readonly pauseTenant: ({
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
    readonly __typename: 'PauseTenantPayload';
  });
};

export const PauseTenant: Operation<PauseTenantResult, PauseTenantVariables> = {
  name: 'PauseTenant',
  text: 'mutation PauseTenant($input:PauseTenantInput!){pauseTenant(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type ResumeTenantVariables = {
  readonly input: ResumeTenantInput;
};

export type ResumeTenantResult = {
  /** Lets a paused tenant’s jobs be claimed again. For tenant admins. */
  readonly resumeTenant: ({
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
    readonly __typename: 'ResumeTenantPayload';
  });
};

export const ResumeTenant: Operation<ResumeTenantResult, ResumeTenantVariables> = {
  name: 'ResumeTenant',
  text: 'mutation ResumeTenant($input:ResumeTenantInput!){resumeTenant(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type VideoDetailVariables = {
  readonly id: string;
};

export type VideoDetailResult = {
  /** One video; null when it is not there or belongs to another tenant. */
  readonly video: ({
    /** Global id. */
    readonly id: string;
    /** Size of the original. */
    readonly sizeBytes: string | null;
    /** Type of the original. */
    readonly contentType: string | null;
    /** Frames per second. */
    readonly fps: number | null;
    /** Who made it: `user:<sub>` or `key:<id>`. */
    readonly createdBy: string | null;
    /** Small pictures for a player’s bar: a cue for each time range names a picture and the place in it (`#xywh=`). Null until the pictures of the video have been sampled. */
    readonly storyboard: {
      /** Its signed URL. It needs no token, works from every origin, and stays the same for a while. */
      readonly url: string;
    } | null;
    /** What was read in its pictures, a cue a segment: its id, time range, text and place. While the video is being read, as far as that is; null before the upload is complete. */
    readonly textTrack: {
      /** Its signed URL. It needs no token, works from every origin, and stays the same for a while. */
      readonly url: string;
    } | null;
    /** What was read in its pictures, in the order of time; while it is being read, as far as that is. */
    readonly segments: {
      /** The rows of this page. */
      readonly nodes: readonly ({
        /** Global id. */
        readonly id: string;
        /** When the video begins to show it. */
        readonly startMs: number;
        /** When it ends showing it. */
        readonly endMs: number;
        /** Which of the kept frames it was read in. */
        readonly frameMs: number;
        /** The text. */
        readonly text: string;
        /** Its language, as Tesseract names it: `eng`. */
        readonly language: string;
        /** Signed URL of the kept frame, a JPEG; it needs no token, and ends at `thumbnailUrlExpiresAt`. */
        readonly thumbnailUrl: string;
      })[];
    };
    /** The newest 20 jobs about it, newest first; `jobs(filter: { subject })` pages through all. */
    readonly jobs: readonly ((Neighbour & {
      /** Runs that ended in an error, a timeout or a lost lease. */
      readonly attemptCount: number;
    }))[] | null;
  }) | null;
};

export const VideoDetail: Operation<VideoDetailResult, VideoDetailVariables> = {
  name: 'VideoDetail',
  text: 'query VideoDetail($id:ID!){video(id:$id){id sizeBytes contentType fps createdBy storyboard{url}textTrack{url}segments(first:100){nodes{id startMs endMs frameMs text language thumbnailUrl}}jobs{...Neighbour attemptCount}}}fragment Neighbour on Job{id uuid status definition{key}}',
};

export type DeleteVideoVariables = {
  readonly input: DeleteVideoInput;
};

export type DeleteVideoResult = {
  /** Deletes a video with its clips, texts and files for good, and cancels its jobs. Nobody can read any of it from now on. Members may delete their own. */
  readonly deleteVideo: ({
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
    readonly __typename: 'DeleteVideoPayload';
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
  });
};

export const DeleteVideo: Operation<DeleteVideoResult, DeleteVideoVariables> = {
  name: 'DeleteVideo',
  text: 'mutation DeleteVideo($input:DeleteVideoInput!){deleteVideo(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type DeleteClipVariables = {
  readonly input: DeleteClipInput;
};

export type DeleteClipResult = {
  /** Deletes a clip and its file for good, and cancels the job that makes it. Members may delete their own. */
  readonly deleteClip: ({
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
    readonly __typename: 'DeleteClipPayload';
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
  });
};

export const DeleteClip: Operation<DeleteClipResult, DeleteClipVariables> = {
  name: 'DeleteClip',
  text: 'mutation DeleteClip($input:DeleteClipInput!){deleteClip(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type TenantsVariables = {

};

export type TenantsResult = {
  /** All tenants, newest first. For super admins. */
  readonly tenants: ({
    /** The rows of this page. */
    readonly nodes: readonly (({
      /** Global id. */
      readonly id: string;
      /** The plain key, as tokens carry it. */
      readonly uuid: string;
      /** Short name. */
      readonly slug: string;
      /** Name. */
      readonly name: string;
      /** Whether none of its jobs are claimed. */
      readonly isPaused: boolean;
      /** Its share of claims against other tenants, 1 to 100. */
      readonly weight: number;
      /** At most N of its jobs run at a time; null for no limit. */
      readonly maxRunning: number | null;
      /** How long its finished jobs are kept, where their definition does not say. */
      readonly retentionSeconds: number | null;
      /** At most N of its jobs start in a period; null for no limit. */
      readonly rateLimit: {
        /** Starts. */
        readonly count: number;
        /** Within N seconds. */
        readonly periodSeconds: number;
      } | null;
      /** When it was made. */
      readonly createdAt: string;
      /** How its queue stands. For super admins. */
      readonly queue: ({
        /** False when there are 10,000 jobs of a kind or more: then there are at least that many. */
        readonly isComplete: boolean;
        /** Queued jobs that a worker may take. */
        readonly readyCount: number;
        /** Running jobs. */
        readonly runningCount: number;
        /** Queued jobs whose time has not come. */
        readonly delayedCount: number;
        /** Queued jobs that wait for other jobs. */
        readonly waitingCount: number;
        /** How long that is. */
        readonly oldestReadySeconds: number | null;
      }) | null;
    }))[];
  }) | null;
};

export const Tenants: Operation<TenantsResult, TenantsVariables> = {
  name: 'Tenants',
  text: 'query Tenants{tenants(first:100){nodes{id uuid slug name isPaused weight maxRunning retentionSeconds rateLimit{count periodSeconds}createdAt queue{isComplete readyCount runningCount delayedCount waitingCount oldestReadySeconds}}}}',
};

export type CallDetailVariables = {
  readonly id: string;
};

export type CallDetailResult = {
  /** One call; null when it is not there or belongs to another tenant. */
  readonly call: ({
    /** How loud it is as a whole (EBU R 128); null where that cannot be said. */
    readonly loudnessLufs: number | null;
    /** Its stages, in their order. */
    readonly stages: readonly (({
      /** Which. */
      readonly stage: CallStage;
      /** Current status. A stage that a call did not need succeeds with the call. */
      readonly status: StageStatus;
      /** How far the run at work on it is; null when none is. */
      readonly progress: ({
        /** 0 to 100; null while the length of the work is unknown. */
        readonly percent: number | null;
        /** The handler’s own words. */
        readonly message: string | null;
      }) | null;
      /** Its job; null while its turn has not come. */
      readonly job: {
        /** Global id. */
        readonly id: string;
        /** The plain key, as SQL, logs and object names have it. */
        readonly uuid: string;
        /** Current status. */
        readonly status: JobStatus;
      } | null;
    }))[];
    /** What it has cost so far. */
    readonly cost: ({
      /** Seconds of sound that a provider may have charged for; a program of the worker’s machine counts too. */
      readonly audioSeconds: number;
      /** The cost of the transcript. */
      readonly speechMicros: number | null;
      /** Tokens that a language model read for the summary. */
      readonly inputTokens: number;
      /** Tokens that it wrote. */
      readonly outputTokens: number;
      /** The cost of the summary. */
      readonly summaryMicros: number | null;
      /** The cost of both, as far as prices are set. */
      readonly totalMicros: number | null;
    });
    /** What was said; null until it is known. */
    readonly transcript: ({
      /** `speechkit`, `openai`, `command`, `pocketsphinx`, `segments` or `none`. */
      readonly provider: string;
      /** The provider’s model. */
      readonly model: string | null;
      /** As it was asked for, or heard. */
      readonly language: string | null;
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
      /** Operations of the provider that were begun for it, or may have been before a worker was killed; 0 where none was needed. */
      readonly operationCount: number;
    }) | null;
    /** What that is about; null until it is known. */
    readonly analysis: ({
      /** Who takes part, and how. */
      readonly speakerStatistics: readonly (({
        /** Which, from 0. */
        readonly speaker: number;
        /** How long they speak, in milliseconds. */
        readonly talkMs: number;
        /** Their share of all talk, 0 to 1. */
        readonly talkRatio: number;
        /** Words. */
        readonly wordCount: number;
        /** Questions. */
        readonly questionCount: number;
        /** How often they begin while another one is speaking. */
        readonly interruptionCount: number;
        /** Words a minute of their talk; null without words. */
        readonly wordsPerMinute: number | null;
      }))[];
      /** All silences together, in milliseconds. */
      readonly silenceMs: number;
      /** The first 200. */
      readonly questions: readonly ({
        /** The speaker who asks, by number from 0. */
        readonly speaker: number;
        /** When, in milliseconds from the start. */
        readonly atMs: number;
        /** As it was heard. */
        readonly text: string;
      })[];
      /** The 20 most frequent words. */
      readonly keywords: readonly ({
        /** The word, in lower case. */
        readonly text: string;
        /** How often. */
        readonly count: number;
        /** When first, in milliseconds from the start. */
        readonly firstAtMs: number;
      })[];
      /** The first 200. */
      readonly entities: readonly ({
        /** What it is. */
        readonly type: string;
        /** As it was heard. */
        readonly value: string;
        /** Who says it, from 0. */
        readonly speaker: number;
        /** When, in milliseconds from the start. */
        readonly atMs: number;
      })[];
      /** Null without a chat endpoint, and of a call without words. */
      readonly overview: ({
        /** In a few sentences. */
        readonly summary: string;
        /** What it is about. */
        readonly topics: readonly (string)[];
        /** What is to be done. */
        readonly actionItems: readonly (({
          /** What. */
          readonly text: string;
          /** Who; null where nobody said. */
          readonly owner: string | null;
        }))[];
        /** `positive`, `neutral`, `negative` or `mixed`. */
        readonly sentiment: string;
      }) | null;
      /** The cost of the summary. */
      readonly cost: {
        /** The model that wrote it. */
        readonly model: string;
      } | null;
    }) | null;
    /** Its files. */
    readonly artifacts: readonly ({
      /** `call_recording`, `call_audio`, `call_waveform`, `call_ogg` or `call_transcript`. */
      readonly kind: string;
      /** Its size. */
      readonly sizeBytes: string;
      /** Its media type. */
      readonly contentType: string;
      /** Signed URL; it needs no token. */
      readonly url: string;
    })[];
  }) | null;
};

export const CallDetail: Operation<CallDetailResult, CallDetailVariables> = {
  name: 'CallDetail',
  text: 'query CallDetail($id:ID!){call(id:$id){loudnessLufs stages{stage status progress{percent message}job{id uuid status}}cost{audioSeconds speechMicros inputTokens outputTokens summaryMicros totalMicros}transcript{provider model language isDraft hasText emptyReason wordCount turnCount operationCount}analysis{speakerStatistics{speaker talkMs talkRatio wordCount questionCount interruptionCount wordsPerMinute}silenceMs questions{speaker atMs text}keywords{text count firstAtMs}entities{type value speaker atMs}overview{summary topics actionItems{text owner}sentiment}cost{model}}artifacts{kind sizeBytes contentType url}}}',
};

export type CallTurnsVariables = {
  readonly id: string;
  readonly from: number;
  readonly count: number;
};

export type CallTurnsResult = {
  /** One call; null when it is not there or belongs to another tenant. */
  readonly call: ({
    /** What was said; null until it is known. */
    readonly transcript: {
      /** Its turns, in the order of time. */
      readonly turns: readonly ({
        /** From 0, in the order of time. */
        readonly position: number;
        /** Who, from 0. */
        readonly speaker: number;
        /** From, in milliseconds. */
        readonly startMs: number;
        /** To, in milliseconds. */
        readonly endMs: number;
        /** Empty where nothing recognises words. */
        readonly text: string;
      })[];
    } | null;
  }) | null;
};

export const CallTurns: Operation<CallTurnsResult, CallTurnsVariables> = {
  name: 'CallTurns',
  text: 'query CallTurns($id:ID!$from:Int!$count:Int!){call(id:$id){transcript{turns(from:$from count:$count){position speaker startMs endMs text}}}}',
};

export type CallSearchVariables = {
  readonly query: string;
  readonly callId?: string | null | undefined;
};

export type CallSearchResult = {
  /** Searches what was said in calls: words, `"phrases"`, beginnings (`proj*`), `-without`. A mistyped or misheard letter does not matter. */
  readonly searchCalls: ({
    /** The rows of this page, each with its cursor. */
    readonly edges: readonly (({
      /** Where this row stands; give it to `after` or `before`. */
      readonly cursor: string;
      /** The row. */
      readonly node: {
        /** The plain key, as SQL, logs and object names have it. */
        readonly uuid: string;
        /** Its title. */
        readonly title: string;
      };
      /** What was found. */
      readonly hit: ({
        /** The place of the turn in its transcript. */
        readonly position: number;
        /** Who says it, from 0. */
        readonly speaker: number;
        /** Their name, where the call has one. */
        readonly speakerName: string | null;
        /** From, in milliseconds. */
        readonly startMs: number;
        /** The turn. */
        readonly text: string;
      });
    }))[];
    /** Whether there is more, and where to go on. */
    readonly pageInfo: {
      /** Whether there are rows after this page. */
      readonly hasNextPage: boolean;
    };
  }) | null;
};

export const CallSearch: Operation<CallSearchResult, CallSearchVariables> = {
  name: 'CallSearch',
  text: 'query CallSearch($query:String!$callId:ID){searchCalls(query:$query callId:$callId first:50){edges{cursor node{uuid title}hit{position speaker speakerName startMs text}}pageInfo{hasNextPage}}}',
};

export type SubmitCallVariables = {
  readonly input: SubmitCallInput;
};

export type SubmitCallResult = {
  /** Submits a recording to be transcribed and analysed. */
  readonly submitCall: ({
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
  } | {
    readonly __typename: 'SubmitCallPayload';
    /** The call. Watch it with `callChanged`. */
    readonly call: {
      /** The plain key, as SQL, logs and object names have it. */
      readonly uuid: string;
    } | null;
    /** Where to put the recording; then call `completeCallUpload`. Null for one that is there. */
    readonly upload: {
      /** Put the file’s bytes here. */
      readonly url: string;
      /** HTTP method: `PUT`. */
      readonly method: string;
      /** Headers to send. */
      readonly headers: readonly ({
        /** Its name. */
        readonly name: string;
        /** Its value. */
        readonly value: string;
      })[];
    } | null;
  });
};

export const SubmitCall: Operation<SubmitCallResult, SubmitCallVariables> = {
  name: 'SubmitCall',
  text: 'mutation SubmitCall($input:SubmitCallInput!){submitCall(input:$input){__typename ...on SubmitCallPayload{call{uuid}upload{url method headers{name value}}}...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type CompleteCallUploadVariables = {
  readonly input: CompleteCallUploadInput;
};

export type CompleteCallUploadResult = {
  /** Says that the recording is uploaded; enqueues `extract_audio`. Calling it again changes nothing. */
  readonly completeCallUpload: ({
    readonly __typename: 'CompleteCallUploadPayload';
    /** The call. Watch it with `callChanged`. */
    readonly call: {
      /** The plain key, as SQL, logs and object names have it. */
      readonly uuid: string;
    } | null;
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

export const CompleteCallUpload: Operation<CompleteCallUploadResult, CompleteCallUploadVariables> = {
  name: 'CompleteCallUpload',
  text: 'mutation CompleteCallUpload($input:CompleteCallUploadInput!){completeCallUpload(input:$input){__typename ...on CompleteCallUploadPayload{call{uuid}}...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type DeleteCallVariables = {
  readonly input: DeleteCallInput;
};

export type DeleteCallResult = {
  /** Deletes a call with its transcript, analysis and files for good, and cancels its jobs. Members may delete their own. */
  readonly deleteCall: ({
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
    readonly __typename: 'DeleteCallPayload';
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
  });
};

export const DeleteCall: Operation<DeleteCallResult, DeleteCallVariables> = {
  name: 'DeleteCall',
  text: 'mutation DeleteCall($input:DeleteCallInput!){deleteCall(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type LinksVariables = {
  readonly filter?: LinkFilter | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
};

export type LinksResult = {
  /** The tenant’s links, newest first. */
  readonly links: ({
    /** The rows of this page. */
    readonly nodes: readonly (LinkRow)[];
    /** Whether there is more, and where to go on. */
    readonly pageInfo: ({
      /** Cursor of the last row; null on an empty page. */
      readonly endCursor: string | null;
      /** Whether there are rows after this page. */
      readonly hasNextPage: boolean;
    });
  }) | null;
};

export const Links: Operation<LinksResult, LinksVariables> = {
  name: 'Links',
  text: 'query Links($filter:LinkFilter$first:Int$after:String){links(filter:$filter first:$first after:$after){nodes{...LinkRow}pageInfo{endCursor hasNextPage}}}fragment LinkRow on Link{id uuid url status processingError title siteName topics textKind createdAt}',
};

export type FindLinksVariables = {
  readonly query: string;
  readonly mode?: LinkSearchMode | null | undefined;
};

export type FindLinksResult = {
  /** Searches the tenant’s links by meaning and by words: titles, summaries and texts. */
  readonly searchLinks: ({
    /** Whose vectors were compared; null where meaning was not asked, or could not be. */
    readonly model: string | null;
    /** Why meaning could not be asked in mode HYBRID; words decided alone then. */
    readonly meaningProblem: string | null;
    /** The best first. */
    readonly hits: readonly (({
      /** 0 to 1, by its places in both lists: the mean of 61 / (60 + place); 1 for the first in both. */
      readonly score: number;
      /** The cosine of its meaning and the query’s; null where it is not among the 100 nearest. */
      readonly meaning: number | null;
      /** Its place among the nearest, from 1. */
      readonly meaningPlace: number | null;
      /** How well the words fit, 0 to 1: how often, how near each other, in title, summary or text. Null where they are not in it. */
      readonly wordScore: number | null;
      /** Its place by words, from 1. */
      readonly wordsPlace: number | null;
      /** The link; null when it was deleted meanwhile. */
      readonly link: (LinkRow & {
        /** A few sentences about it. */
        readonly summary: string | null;
      }) | null;
    }))[];
  }) | null;
};

export const FindLinks: Operation<FindLinksResult, FindLinksVariables> = {
  name: 'FindLinks',
  text: 'query FindLinks($query:String!$mode:LinkSearchMode){searchLinks(query:$query mode:$mode first:20){model meaningProblem hits{score meaning meaningPlace wordScore wordsPlace link{...LinkRow summary}}}}fragment LinkRow on Link{id uuid url status processingError title siteName topics textKind createdAt}',
};

export type LinkDetailVariables = {
  readonly id: string;
};

export type LinkDetailResult = {
  /** One link; null when it is not there or belongs to another tenant. */
  readonly link: (LinkRow & {
    /** The address that the page calls its own, or where it was found after redirects. */
    readonly canonicalUrl: string | null;
    /** What the page says it is about. */
    readonly description: string | null;
    /** Who made it. */
    readonly author: string | null;
    /** As the page says: `en`, `en-US`. */
    readonly language: string | null;
    /** When it was published. */
    readonly publishedAt: string | null;
    /** How long the video is. */
    readonly durationSeconds: number | null;
    /** Characters of its text. */
    readonly textLength: number | null;
    /** A few sentences about it. */
    readonly summary: string | null;
    /** What it names. */
    readonly entities: readonly ({
      /** As the text has it. */
      readonly name: string;
      /** `person`, `organization`, `place`, `product`, `event`, `work` or `other`. */
      readonly kind: string;
    })[];
    /** `page`, or the provider’s platform. */
    readonly scrapedBy: string | null;
    /** When it was read last. */
    readonly scrapedAt: string | null;
    /** The model that summed it up. */
    readonly enrichedBy: string | null;
    /** When it was enriched last. */
    readonly enrichedAt: string | null;
    /** The model of its vector. */
    readonly embeddedBy: string | null;
    /** The submitter’s own id. */
    readonly sourceRef: string | null;
    /** Who submitted it: `user:<sub>`, `key:<id>`, `sql:<login>`. */
    readonly createdBy: string | null;
    /** Its text; null where it has none. */
    readonly content: {
      /** All of it, at most 1,000,000 characters. */
      readonly text: string;
      /** Its parts with their times; none where the source has no times. */
      readonly segments: readonly ({
        /** Milliseconds from the start of the video. */
        readonly startMs: number;
        /** What is said. */
        readonly text: string;
      })[];
    } | null;
    /** The tenant’s links with the nearest meanings, by the model of its vector; none while it has none. */
    readonly similar: readonly (({
      /** The cosine of their meanings. */
      readonly similarity: number;
      /** The link; null when it was deleted meanwhile. */
      readonly link: LinkRow | null;
    }))[];
  }) | null;
};

export const LinkDetail: Operation<LinkDetailResult, LinkDetailVariables> = {
  name: 'LinkDetail',
  text: 'query LinkDetail($id:ID!){link(id:$id){...LinkRow canonicalUrl description author language publishedAt durationSeconds textLength summary entities{name kind}scrapedBy scrapedAt enrichedBy enrichedAt embeddedBy sourceRef createdBy content{text segments{startMs text}}similar(first:6){similarity link{...LinkRow}}}}fragment LinkRow on Link{id uuid url status processingError title siteName topics textKind createdAt}',
};

export type SubmitLinkVariables = {
  readonly input: SubmitLinkInput;
};

export type SubmitLinkResult = {
  /** Submits a link: its row and the job that reads it are there together. */
  readonly submitLink: ({
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
    readonly __typename: 'SubmitLinkPayload';
    /** False when there was a link with that `sourceRef`. */
    readonly isNew: boolean;
    /** The link. Watch it with `linkChanged`. */
    readonly link: {
      /** The plain key, as SQL and logs have it. */
      readonly uuid: string;
    } | null;
  });
};

export const SubmitLink: Operation<SubmitLinkResult, SubmitLinkVariables> = {
  name: 'SubmitLink',
  text: 'mutation SubmitLink($input:SubmitLinkInput!){submitLink(input:$input){__typename ...on SubmitLinkPayload{isNew link{uuid}}...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type DeleteLinkVariables = {
  readonly input: DeleteLinkInput;
};

export type DeleteLinkResult = {
  /** Deletes a link with its text and vectors, and cancels its jobs. Members may delete their own. */
  readonly deleteLink: ({
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
    readonly __typename: 'DeleteLinkPayload';
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
  });
};

export const DeleteLink: Operation<DeleteLinkResult, DeleteLinkVariables> = {
  name: 'DeleteLink',
  text: 'mutation DeleteLink($input:DeleteLinkInput!){deleteLink(input:$input){__typename ...Failure}}fragment Failure on DomainFailure{code message field allowed}',
};

export type MessagesVariables = {
  readonly filter: JobFilter;
  readonly after?: string | null | undefined;
};

export type MessagesResult = {
  /** Jobs, newest first by default. There is no total: counting would read them all. */
  readonly jobs: ({
    /** The rows of this page. */
    readonly nodes: readonly (({
      /** Global id. */
      readonly id: string;
      /** The plain key, as SQL, logs and object names have it. */
      readonly uuid: string;
      /** Current status. */
      readonly status: JobStatus;
      /** Which trigger, event or earlier job asked for it. */
      readonly sourceRef: string | null;
      /** How often it put itself off. */
      readonly snoozeCount: number;
      /** What it was given; secret fields are shown as •••, to everybody. */
      readonly payload: unknown | null;
      /** When it last came into the queue. */
      readonly queuedAt: string;
      /** Not to be run before. */
      readonly scheduledFor: string;
      /** When it ended. */
      readonly finishedAt: string | null;
    }))[];
    /** Whether there is more, and where to go on. */
    readonly pageInfo: ({
      /** Cursor of the last row; null on an empty page. */
      readonly endCursor: string | null;
      /** Whether there are rows after this page. */
      readonly hasNextPage: boolean;
    });
  }) | null;
};

export const Messages: Operation<MessagesResult, MessagesVariables> = {
  name: 'Messages',
  text: 'query Messages($filter:JobFilter!$after:String){jobs(filter:$filter first:50 after:$after){nodes{id uuid status sourceRef snoozeCount payload queuedAt scheduledFor finishedAt}pageInfo{endCursor hasNextPage}}}',
};

export type StatisticsVariables = {
  readonly sinceSeconds?: number | null | undefined;
};

export type StatisticsResult = {
  /** How long jobs of the tenant waited and ran recently, how many ended, and why some failed. */
  readonly jobStatistics: ({
    /** The window that was asked for. */
    readonly sinceSeconds: number;
    /** Jobs that were looked at. */
    readonly jobCount: number;
    /** All jobs that ended from this time on were looked at: the start of the window, or later where it holds 5,000 of them or more. */
    readonly finishedAfter: string;
    /** By definition, in the order of keys; those of which no job ended are omitted. */
    readonly definitions: readonly (({
      /** Key of the definition. */
      readonly definitionKey: string;
      /** Jobs that ended, however. */
      readonly endedCount: number;
      /** How many of those failed or are dead letters. */
      readonly failedCount: number;
      /** Half of them waited no longer from when they were due to the start of their last run. */
      readonly medianWaitMs: number | null;
      /** The same of 95 in 100. */
      readonly p95WaitMs: number | null;
      /** The last run of half of them took no longer. */
      readonly medianRunMs: number | null;
      /** The same of 95 in 100. */
      readonly p95RunMs: number | null;
    }))[];
    /** By time: 60 equal parts of the window, the oldest first. */
    readonly intervals: readonly ({
      /** When the part began. */
      readonly startsAt: string;
      /** Jobs that ended, however. */
      readonly endedCount: number;
      /** How many of those failed or are dead letters. */
      readonly failedCount: number;
    })[];
    /** The 20 most frequent errors, the most frequent first. */
    readonly failures: readonly ({
      /** Key of the definition. */
      readonly definitionKey: string;
      /** Type of the errors. */
      readonly errorType: string;
      /** Message of the last one, its first 500 characters. */
      readonly message: string;
      /** How many jobs. */
      readonly jobCount: number;
      /** When the last one failed. */
      readonly lastFailedAt: string;
      /** The last one. */
      readonly lastJobUuid: string;
    })[];
  }) | null;
};

export const Statistics: Operation<StatisticsResult, StatisticsVariables> = {
  name: 'Statistics',
  text: 'query Statistics($sinceSeconds:Int){jobStatistics(sinceSeconds:$sinceSeconds){sinceSeconds jobCount finishedAfter definitions{definitionKey endedCount failedCount medianWaitMs p95WaitMs medianRunMs p95RunMs}intervals{startsAt endedCount failedCount}failures{definitionKey errorType message jobCount lastFailedAt lastJobUuid}}}',
};

export type FailingSchedulesVariables = {

};

export type FailingSchedulesResult = {
  /** The tenant’s triggers, newest first. */
  readonly triggers: ({
    /** The rows of this page. */
    readonly nodes: readonly (({
      /** Global id. */
      readonly id: string;
      /** What people call it. */
      readonly label: string;
      /** What became of its runs, newest first. */
      readonly runs: ({
        /** The rows of this page. */
        readonly nodes: readonly (({
          /** Global id. */
          readonly id: string;
          /** When it was decided. */
          readonly createdAt: string;
          /** What became of it. */
          readonly outcome: TriggerRunOutcome;
          /** The job that it made, or that stood for it; null when there was none or it is deleted. */
          readonly job: {
            /** The plain key, as SQL, logs and object names have it. */
            readonly uuid: string;
            /** Current status. */
            readonly status: JobStatus;
          } | null;
        }))[];
      });
    }))[];
  }) | null;
};

export const FailingSchedules: Operation<FailingSchedulesResult, FailingSchedulesVariables> = {
  name: 'FailingSchedules',
  text: 'query FailingSchedules{triggers(first:20 filter:{kind:SCHEDULE isEnabled:true lastRunFailed:true}){nodes{id label runs(first:1){nodes{id createdAt outcome job{uuid status}}}}}}',
};

export type TenantNamesVariables = {

};

export type TenantNamesResult = {
  /** All tenants, newest first. For super admins. */
  readonly tenants: {
    /** The rows of this page. */
    readonly nodes: readonly ({
      /** The plain key, as tokens carry it. */
      readonly uuid: string;
      /** Name. */
      readonly name: string;
    })[];
  } | null;
};

export const TenantNames: Operation<TenantNamesResult, TenantNamesVariables> = {
  name: 'TenantNames',
  text: 'query TenantNames{tenants(first:100){nodes{uuid name}}}',
};
