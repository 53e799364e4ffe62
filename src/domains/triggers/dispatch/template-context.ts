import { offsetText, wallTimeAt } from '../../../core/schedule/time-zone.ts';
import type { TemplateContext } from '../template/render-template.ts';

/**
 * An event as templates see it: its data's own fields, and what the event is under names that data cannot
 * take over.
 */
interface EventFacts {
  readonly id: string;
  readonly tenant_id: string;
  readonly tenant_slug: string;
  readonly name: string;
  readonly data: unknown;
  readonly created_at: Date;
  readonly correlation_id: string | null;
}

/** `{{event.folder_path}}` is the data's field; `{{event.$name}}` and the like say what the event is. */
export function eventContext(
  event: EventFacts,
  trigger: { readonly id: string; readonly label: string },
): TemplateContext {
  const data =
    typeof event.data === 'object' && event.data !== null && !Array.isArray(event.data) ? event.data : {};
  return {
    event: {
      ...data,
      $id: event.id,
      $name: event.name,
      $at: event.created_at.toISOString(),
      $correlationId: event.correlation_id,
      $data: event.data,
    },
    trigger: { id: trigger.id, label: trigger.label },
    tenant: { id: event.tenant_id, slug: event.tenant_slug },
  };
}

/**
 * `{{schedule.scheduledAt}}` is the tick's own time, however late it is enqueued; `localTime` is that time in
 * the schedule's zone.
 */
export function scheduleContext(
  scheduledAt: Date,
  trigger: {
    readonly id: string;
    readonly label: string;
    readonly time_zone: string;
    readonly tenant_id: string;
    readonly tenant_slug: string;
    readonly last_at?: Date | null;
  },
): TemplateContext {
  const { local, offsetSeconds } = wallTimeAt(scheduledAt, trigger.time_zone);
  return {
    schedule: {
      scheduledAt: scheduledAt.toISOString(),
      localTime: `${local}${offsetText(offsetSeconds)}`,
      date: local.slice(0, 10),
      timeZone: trigger.time_zone,
      previousAt: trigger.last_at?.toISOString() ?? null,
    },
    trigger: { id: trigger.id, label: trigger.label },
    tenant: { id: trigger.tenant_id, slug: trigger.tenant_slug },
  };
}
