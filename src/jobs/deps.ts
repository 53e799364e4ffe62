import type { Config } from '../config/config.ts';
import type { ArtifactKinds } from '../core/artifact-kind.ts';
import type { ProducerQueue } from '../core/producer-queue.ts';
import type { RemoteWork } from '../core/remote-work.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { DefinitionRow } from '../db/sql/queue/find-definitions.ts';
import type { SecretBox } from '../payloads/secret-box.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { PartialStore } from '../storage/partial-store.ts';
import type { UploadUrls } from '../storage/upload-urls.ts';
import type { ObjectUrls } from '../storage/url-signer.ts';
import type { PayloadChecks } from './payload-checks.ts';

/** What the use-cases work with; the composition root fills it once. */
export interface JobsDeps {
  readonly db: Database;
  readonly queue: ProducerQueue<DefinitionRow, Transaction>;
  readonly payloads: PayloadChecks;
  /** The engine's side of workers that reach it over the network. */
  readonly remote: RemoteWork;
  readonly store: ObjectStore;
  readonly urls: ObjectUrls;
  readonly partials: PartialStore;
  readonly uploadUrls: UploadUrls;
  /** Definitions whose jobs have log files. */
  readonly loggedKeys: ReadonlySet<string>;
  /** What domains say about the files that their jobs make. */
  readonly artifactKinds: ArtifactKinds;
  /** Keys of the commands that this installation may run; null where it has no file of them. */
  readonly commandKeys: readonly string[] | null;
  /** Hears of a new bulk action, to begin with it at once. */
  readonly bulkActions: { wake(): void };
  /** Encrypts the secret fields of payloads before they are stored. */
  readonly secrets: SecretBox;
  readonly config: Pick<
    Config,
    | 'maxUploadBytes'
    | 'signedUrlSeconds'
    | 'maxVideoSeconds'
    | 'uploadHours'
    | 'scanTenant'
    | 'maxClipSeconds'
    | 'clipRetentionDays'
    | 'jwtClockToleranceSeconds'
    | 'tenantStorageBytes'
    | 'outgoingAllowed'
    | 'outgoingPorts'
    | 'maxPayloadBytes'
    | 'outgoingAllowed'
    | 'outgoingPorts'
    | 'aiUrl'
    | 'aiKey'
    | 'aiEmbeddingModel'
  >;
}
