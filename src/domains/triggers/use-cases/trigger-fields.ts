import type { MissingHourPolicy, RepeatedHourPolicy } from '../../../core/schedule/cron-runs.ts';
import type { MissedRunsPolicy } from '../../../core/schedule/due-ticks.ts';

/** What a trigger is made of, as its owner writes it. Null and absent are the same: the default. */
export interface TriggerFields {
  readonly label: string;
  readonly definitionKey: string;
  readonly isEnabled?: boolean | null | undefined;
  /** For an event trigger: an event name, or its first words and `.*`. */
  readonly eventName?: string | null | undefined;
  readonly condition?: unknown;
  /** For a schedule: one of the three. */
  readonly cron?: string | null | undefined;
  readonly everySeconds?: number | null | undefined;
  readonly runAt?: Date | null | undefined;
  readonly timeZone?: string | null | undefined;
  readonly missingHour?: MissingHourPolicy | null | undefined;
  readonly repeatedHour?: RepeatedHourPolicy | null | undefined;
  readonly missedRuns?: MissedRunsPolicy | null | undefined;
  readonly backfillLimit?: number | null | undefined;
  readonly jitterSeconds?: number | null | undefined;
  readonly startsAt?: Date | null | undefined;
  readonly endsAt?: Date | null | undefined;
  readonly skipWhileActive?: boolean | null | undefined;
  readonly payloadTemplate?: unknown;
  readonly priority?: number | null | undefined;
  readonly dedupeWindowSeconds?: number | null | undefined;
}

/** A checked trigger, as its row has it, but for its definition. */
export interface TriggerColumns {
  readonly label: string;
  readonly kind: 'event' | 'schedule';
  readonly is_enabled: boolean;
  readonly event_pattern: string | null;
  readonly condition: unknown;
  readonly cron: string | null;
  readonly every_seconds: number | null;
  readonly run_at: Date | null;
  readonly time_zone: string;
  readonly missing_hour: MissingHourPolicy;
  readonly repeated_hour: RepeatedHourPolicy;
  readonly missed_runs: MissedRunsPolicy;
  readonly backfill_limit: number;
  readonly jitter_seconds: number;
  readonly starts_at: Date | null;
  readonly ends_at: Date | null;
  readonly skip_while_active: boolean;
  readonly payload_template: unknown;
  readonly priority: number;
  readonly dedupe_window_seconds: number;
  /** The one definition whose jobs' ends can satisfy the condition; null: those of any. */
  readonly watched_definition: string | null;
}
