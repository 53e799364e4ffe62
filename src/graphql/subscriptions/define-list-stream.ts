import type { EnumRef, InputFieldMap } from '@pothos/core';
import type { Actor } from '../../core/actor.ts';
import { DomainError } from '../../core/errors.ts';
import type { CheckedEntityFilter } from '../../events/entity-filter.ts';
import type { EntityFeedEvent, EntityList } from '../../events/entity-list.ts';
import type { ReadScope } from '../access/access-types.ts';
import { builder, type SchemaTypes } from '../builder.ts';
import { uuidOf } from '../ids.ts';
import { creatorOf } from './creator-of.ts';
import { defineListEvents, type ListedType } from './define-list-events.ts';
import { listTopic } from './list-topic.ts';

/** What a domain says of the stream of a list of its entities. */
export interface ListStream<Status extends string, Row> extends ListedType<Row> {
  readonly list: EntityList<Status>;
  readonly statusType: EnumRef<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, Status>;
  /** Whose read scope it takes. */
  readonly scope: ReadScope;
  /** The job that counts as part of it: `a job about it` where nothing else is said. */
  readonly work?: string;
  /** What else is to be known of its statuses. */
  readonly statusNote?: string;
  /** What they may belong to, by the name of the filter's field: a list is of one of them at most. */
  readonly parents?: Readonly<Record<string, ListParent>>;
}

interface ListParent {
  readonly typeName: string;
  readonly description: string;
}

/** The filter as every list has it; the fields of parents come beside these. */
interface GivenFilter<Status> {
  readonly statuses?: readonly Status[] | null;
  readonly createdBy?: string | null;
  readonly createdByMe?: boolean | null;
  readonly initialLimit?: number | null;
}

/**
 * Adds the stream of a list to the API: `videoChanges` with its filter, and the events `VideoUpdated`,
 * `VideoLeft` and `VideoRemoved` beside the marks that every list sends.
 */
export function defineListStream<Status extends string, Row extends object>(
  stream: ListStream<Status, Row>,
): void {
  const { list, scope, work = 'a job about it' } = stream;
  const { name: many, entity: one } = list.spec;
  const filterType = defineFilter(stream);
  const eventType = defineListEvents(stream, list.spec);
  builder.subscriptionField(`${one}Changes`, (t) =>
    t.field({
      type: eventType,
      authScopes: { [scope]: true },
      description: `The ${many} that match, newest first, then FeedReady, then every change of one, of ${work} or of that job’s progress. Go on after a broken connection with \`after\`: nothing is missed, some may come twice.`,
      args: {
        filter: t.arg({ type: filterType, description: `Which ${many}; all of the tenant by default.` }),
        after: t.arg.string({
          description: 'Cursor of the last event that was seen: no initial state, all changes since.',
        }),
      },
      subscribe: (_root, { filter, after }, { actor, deps }) => {
        const checked = checkedFilter(stream, (filter ?? {}) as GivenFilter<Status>, actor);
        const open = (from: string | null) => deps.feed.subscribeList(list.of(checked), from);
        const presenter = () => (event: EntityFeedEvent) => ({ value: event });
        return listTopic(deps, { name: many, filter: checked, open, presenter }, after ?? null);
      },
      resolve: (event: EntityFeedEvent) => event,
    }),
  );
}

function defineFilter<Status extends string, Row extends object>(stream: ListStream<Status, Row>) {
  const { typeName, list, statusType, statusNote, parents = {} } = stream;
  const { name: many, entity: one } = list.spec;
  const note = statusNote === undefined ? '' : ` ${statusNote}`;
  return builder.inputType(`${typeName}ChangesFilter`, {
    description: `Which ${many} to watch, and how many to begin with.`,
    fields: (t) => {
      const ofParents: InputFieldMap = Object.fromEntries(
        Object.entries(parents).map(([field, { description }]) => [field, t.id({ description })]),
      );
      return {
        ...ofParents,
        statuses: t.field({
          type: [statusType],
          description: `One of these; a ${one} that leaves them is sent as ${typeName}Left.${note}`,
        }),
        createdBy: t.string({ description: 'Made by: `user:<sub>`, `key:<id>`.' }),
        createdByMe: t.boolean({
          description:
            'Made by the caller; in place of `createdBy`. False, like omitting it, restricts nothing.',
        }),
        initialLimit: t.int({
          description: `${capital(many)} of the initial state, 1 to 10000; 1000 by default.`,
        }),
      };
    },
  });
}

/** @throws DomainError `InvalidArgument` `Forbidden` */
function checkedFilter<Status extends string, Row extends object>(
  { list, parents = {} }: ListStream<Status, Row>,
  given: GivenFilter<Status>,
  actor: Actor,
): CheckedEntityFilter {
  const { statuses = null, initialLimit = null, createdBy, createdByMe } = given;
  const asked = {
    tenantId: actor.tenantId,
    statuses,
    initialLimit,
    createdBy: creatorOf(createdBy, createdByMe, actor),
  };
  return list.check(asked, parentOf(parents, given as Readonly<Record<string, unknown>>));
}

function parentOf(
  parents: Readonly<Record<string, ListParent>>,
  given: Readonly<Record<string, unknown>>,
): { readonly parentId: string; readonly field: string } | null {
  const named = Object.keys(parents).filter((field) => given[field] != null);
  const [field, second] = named;
  if (field === undefined) return null;
  if (second !== undefined) {
    const allowed = `one of ${Object.keys(parents).join(' and ')}`;
    throw new DomainError('InvalidArgument', `Feed filter: both are given, allowed: ${allowed}`, {
      field: `filter.${second}`,
      allowed,
    });
  }
  const { typeName } = parents[field] as ListParent;
  return { parentId: uuidOf(typeName, String(given[field]), `filter.${field}`), field };
}

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
