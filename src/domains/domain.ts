import type { Config } from '../config/config.ts';
import { type ArtifactKind, ArtifactKinds } from '../core/artifact-kind.ts';
import type { JobDefinition } from '../core/definition.ts';
import type { Duty } from '../core/duty.ts';
import { DomainError } from '../core/errors.ts';
import type { Pipeline } from '../core/pipelines/pipeline.ts';
import type { JobQueue } from '../core/queue.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { FeedTable } from '../db/feed-table.ts';
import type { Notifier } from '../db/notifier.ts';
import type { DefinitionRow } from '../db/sql/queue/find-definitions.ts';
import type { GraphqlPart } from '../graphql/part.ts';
import type { RestPart, RestRoute } from '../rest/route.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { PartialStore } from '../storage/partial-store.ts';
import type { Logger } from '../telemetry/log.ts';

/** What a domain's duties work with. */
export interface DutyDeps {
  readonly config: Config;
  readonly database: Database;
  readonly queue: JobQueue<DefinitionRow, Transaction>;
  readonly notifier: Notifier;
  readonly storage: ObjectStore;
  readonly partials: PartialStore;
  readonly log: Logger;
  /** Whether this worker runs jobs of a definition. */
  runs(definitionKey: string): boolean;
}

/** What `defineDomain` takes; all but the name may be omitted. */
export interface DomainInput {
  /** `videos`: a–z and `-`. */
  readonly name: string;
  /** The jobs that it brings. */
  readonly definitions?: readonly JobDefinition[];
  /** Files that its jobs make, by kind. */
  readonly artifacts?: readonly ArtifactKind[];
  /** What the end of its jobs leads to. */
  readonly pipelines?: readonly Pipeline<Transaction>[];
  /** Tables whose changes are streamed. */
  readonly feedTables?: readonly FeedTable[];
  /** Loads what it adds to the API, which a worker never does. */
  readonly graphql?: () => Promise<GraphqlPart>;
  /** Loads its routes of the REST API, likewise. */
  readonly rest?: () => Promise<RestPart>;
  /** What the maintenance leader does for it. */
  readonly duties?: (deps: DutyDeps) => readonly Duty[];
}

export type Domain = Readonly<
  Required<Omit<DomainInput, 'graphql' | 'rest'>> & Pick<DomainInput, 'graphql' | 'rest'>
>;

/**
 * Declares a domain: what it adds to the engine, the feed and the API. A process is composed of a list of
 * them.
 * @throws DomainError `InvalidArgument` for a name of another form, or a pipeline or an artifact of a
 *   definition that is not the domain's
 */
export function defineDomain(input: DomainInput): Domain {
  const domain: Domain = Object.freeze({
    definitions: [],
    artifacts: [],
    pipelines: [],
    feedTables: [],
    duties: () => [],
    ...input,
  });
  const { name, definitions, artifacts, pipelines } = domain;
  if (!/^[a-z][a-z-]{0,49}$/.test(name)) throw invalid('name', name, '1 to 50 of a–z and "-"');
  const own = new Set(definitions.map(({ key }) => key));
  for (const key of pipelines.flatMap(({ definitionKeys }) => definitionKeys))
    if (!own.has(key)) throw invalid('pipelines', key, [...own].join(', '));
  for (const key of artifacts.flatMap(({ definitionKeys }) => definitionKeys))
    if (!own.has(key)) throw invalid('artifacts', key, [...own].join(', '));
  return domain;
}

/** The definitions of domains. */
export function definitionsOf(domains: readonly Domain[]): readonly JobDefinition[] {
  return domains.flatMap(({ definitions }) => definitions);
}

/** What domains say about the files that their jobs make. */
export function artifactKindsOf(domains: readonly Domain[]): ArtifactKinds {
  return new ArtifactKinds(domains.flatMap(({ artifacts }) => artifacts));
}

/** What domains add to the API; loads their modules. */
export async function graphqlPartsOf(domains: readonly Domain[]): Promise<readonly GraphqlPart[]> {
  const parts = await Promise.all(domains.map(({ graphql }) => graphql?.()));
  return parts.filter((part) => part !== undefined);
}

/** The routes of domains; loads their modules. */
export async function restRoutesOf(domains: readonly Domain[]): Promise<readonly RestRoute[]> {
  const parts = await Promise.all(domains.map(({ rest }) => rest?.()));
  return parts.flatMap((part) => part?.routes ?? []);
}

/** Tables of domains that a feed follows. */
export function feedTablesOf(domains: readonly Domain[]): readonly FeedTable[] {
  return domains.flatMap(({ feedTables }) => feedTables);
}

/** What the maintenance leader does for domains. */
export function dutiesOf(domains: readonly Domain[], deps: DutyDeps): readonly Duty[] {
  return domains.flatMap(({ duties }) => duties(deps));
}

function invalid(field: string, value: string, allowed: string): DomainError {
  return new DomainError(
    'InvalidArgument',
    `Domain: ${field} has ${JSON.stringify(value)}, allowed: ${allowed}`,
    { field, allowed },
  );
}
