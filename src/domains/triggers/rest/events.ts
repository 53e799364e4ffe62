import { notFound } from '../../../jobs/not-found.ts';
import { answerPage, LINK_HEADER, PAGE_QUERY, pageSchema } from '../../../rest/pages.ts';
import { defineAction, defineRoute, RestReply } from '../../../rest/route.ts';
import { Type } from '../../../rest/schema.ts';
import { timeText } from '../../../rest/shown-job.ts';
import { timeOf } from '../../../rest/times.ts';
import { emitEvent } from '../use-cases/emit-event.ts';
import { findEvent, findEvents } from '../use-cases/find-triggers.ts';
import { schedulePreview } from '../use-cases/schedule-preview.ts';
import { EventSchema, PreviewSchema, TIMES } from './schemas.ts';
import { shownEvent, timesOf } from './shown.ts';

const list = defineRoute({
  method: 'GET',
  path: '/events',
  operationId: 'listEvents',
  tag: 'Events',
  summary: 'List events, newest first',
  need: findEvents.need,
  query: Type.Object(
    { name: Type.Optional(Type.String({ description: 'Only events of exactly this name.' })), ...PAGE_QUERY },
    { additionalProperties: false },
  ),
  answer: pageSchema('EventPage', EventSchema),
  answerHeaders: LINK_HEADER,
  errors: ['InvalidArgument'],
  example: {
    query: { name: 'provider.folder.updated' },
    answer: { data: [], has_more: false, next_cursor: null },
  },
  run: async ({ operation, caller, url }, { query: { name, limit, after } }) => {
    const page = await findEvents(operation.transaction, caller, { name }, { first: limit, after });
    return answerPage(url, page, page.rows.map(shownEvent));
  },
});

const emit = defineAction({
  method: 'POST',
  path: '/events',
  operationId: 'emitEvent',
  tag: 'Events',
  summary: 'Emit an event; the triggers that listen to it make their jobs right after',
  need: emitEvent.need,
  body: Type.Object(
    {
      name: Type.String({ description: 'Words of a-z, 0-9, _ and -, joined by dots.' }),
      data: Type.Optional(Type.Json({ description: 'A JSON object of at most 256 KiB; empty by default.' })),
      correlation_id: Type.Optional(
        Type.NullableString({ description: 'Carried on to the jobs that it makes.' }),
      ),
      source_ref: Type.Optional(Type.NullableString({ description: 'Where it comes from, for people.' })),
    },
    { title: 'EmitEvent', additionalProperties: false },
  ),
  maxBodyBytes: 'largest',
  answer: EventSchema,
  status: 201,
  answerHeaders: { location: 'Where the event is.' },
  errors: ['InvalidArgument', 'InvalidPayload', 'PayloadTooLarge'],
  example: {
    body: { name: 'provider.folder.updated', data: { folder_path: '/photos' } },
    answer: {},
  },
  act: ({ deps, caller }, { body }) =>
    emitEvent(deps.jobs, caller, {
      name: body.name,
      data: body.data,
      correlationId: body.correlation_id,
      sourceRef: body.source_ref,
    }),
  show: async ({ caller, operation }, id) => {
    const row = await findEvent(operation.transaction, caller, id);
    if (row === null) throw new Error(`Event ${id} was written but cannot be read`);
    return new RestReply(shownEvent(row), { headers: { location: `/api/v1/events/${id}` } });
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/events/:event_id',
  operationId: 'getEvent',
  tag: 'Events',
  summary: 'Read an event',
  need: findEvent.need,
  params: Type.Object({ event_id: Type.Uuid({ description: 'The event’s id.' }) }),
  answer: EventSchema,
  errors: ['NotFound'],
  example: { params: { event_id: '{event_id}' }, answer: {} },
  run: async ({ operation, caller }, { params }) => {
    const id = params.event_id.toLowerCase();
    const row = await findEvent(operation.transaction, caller, id);
    if (row === null) throw notFound('event', id);
    return shownEvent(row);
  },
});

const preview = defineRoute({
  method: 'POST',
  path: '/schedules/preview',
  operationId: 'previewSchedule',
  tag: 'Triggers',
  summary: 'Show the next runs of a schedule; nothing is saved',
  need: schedulePreview.need,
  body: Type.Object(
    {
      ...TIMES,
      count: Type.Optional(Type.Integer({ description: '1 to 100 runs; 10 by default.' })),
      after: Type.Optional(Type.NullableTime({ description: 'Runs after this time; now by default.' })),
    },
    { title: 'PreviewSchedule', additionalProperties: false },
  ),
  answer: PreviewSchema,
  errors: ['InvalidArgument'],
  example: {
    body: { cron_expr: '30 2 * * *', timezone: 'Europe/Berlin', count: 2, after: '2026-03-28T00:00:00Z' },
    answer: {
      schedule_in_words: 'At 02:30, every day',
      timezone: 'Europe/Berlin',
      runs: [
        {
          scheduled_at: '2026-03-28T01:30:00.000Z',
          local_time: '2026-03-28T02:30:00+01:00',
          clock_change: 'none',
        },
        {
          scheduled_at: '2026-03-29T01:00:00.000Z',
          local_time: '2026-03-29T03:00:00+02:00',
          clock_change: 'shifted',
        },
      ],
    },
  },
  run: async ({ deps, caller }, { body: { count, after, ...times } }) => {
    const from = timeOf('after', after) ?? undefined;
    const { words, timeZone, runs } = await schedulePreview(
      deps.jobs,
      caller,
      timesOf(times),
      count ?? 10,
      from,
    );
    return {
      schedule_in_words: words,
      timezone: timeZone,
      runs: runs.map(({ at, localTime, clockChange }) => ({
        scheduled_at: timeText(at),
        local_time: localTime,
        clock_change: clockChange,
      })),
    };
  },
});

export const eventRoutes = [list, emit, get, preview];
