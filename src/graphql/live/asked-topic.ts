import type { LiveSource } from '../../events/live-source.ts';
import type { Question } from '../../fanout/fanout.ts';
import type { Opened } from '../../fanout/group.ts';
import type { Identity } from '../../identity/identity.ts';
import type { GraphqlDeps, RequestContext } from '../context.ts';
import { maskError } from '../mask-error.ts';
import { groupKey } from './group-key.ts';
import { type AskedQuestion, rendererFor } from './render.ts';
import type { Topic } from './topic.ts';

/**
 * A topic with the selection of it that was asked for, by somebody with certain rights: what a group answers.
 */
export class AskedTopic<Event = unknown, Source extends LiveSource<Event> = LiveSource<Event>>
  implements Question<Event, Source>
{
  readonly key: string;
  readonly deps: GraphqlDeps;
  readonly #question: AskedQuestion;
  readonly #topic: Topic<Event, Source>;
  readonly #request: RequestContext;

  constructor(
    question: AskedQuestion,
    topic: Topic<Event, Source>,
    deps: GraphqlDeps,
    request: RequestContext,
  ) {
    this.key = groupKey(question, topic.key, request.identity);
    this.deps = deps;
    this.#question = question;
    this.#topic = topic;
    this.#request = request;
  }

  /** The same asked with other rights. */
  askedBy(identity: Identity): AskedTopic<Event, Source> {
    const request = { identity, requestId: this.#request.requestId };
    return new AskedTopic(this.#question, this.#topic, this.deps, request);
  }

  open(after: string | null): Opened<Event, Source> {
    const open = this.#topic.open(after);
    return { source: open.source, render: rendererFor(this.#question, this.deps, this.#request, open) };
  }

  toError(error: unknown): Error {
    return maskError(error, this.deps.log);
  }
}
