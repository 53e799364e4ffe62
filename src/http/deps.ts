import type { Admissions } from '../access/admissions.ts';
import type { Config } from '../config/config.ts';
import type { PacedTurns } from '../core/paced-turns.ts';
import type { RunTick } from '../core/tick.ts';
import type { GraphqlDeps } from '../graphql/context.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import type { RestRoute } from '../rest/route.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { UrlSigner } from '../storage/url-signer.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ClientAddresses } from './client-address.ts';
import type { HttpTimes } from './times.ts';

/** What the HTTP server works with; the composition root fills it once. */
export interface HttpDeps {
  readonly config: Pick<
    Config,
    | 'corsOrigins'
    | 'publicUrl'
    | 'playground'
    | 'storage'
    | 's3Endpoint'
    | 's3PublicEndpoint'
    | 'oidcIssuer'
    | 'oidcClientId'
    | 'oidcScope'
    | 'metricsToken'
    | 'reconnectSpreadMs'
    | 'shutdownSeconds'
    | 'slowConsumerSeconds'
    | 'addressConnectsPerSecond'
    | 'rateBurstSeconds'
    | 'maxSocketQueries'
    | 'requirePreflight'
    | 'maxBodyBytes'
    | 'maxPayloadBytes'
    | 'signedUrlSeconds'
  >;
  readonly graphql: GraphqlDeps;
  readonly authenticator: Authenticator;
  /** How callers of routes beside GraphQL are admitted to use-cases. */
  readonly admissions: Admissions;
  readonly addresses: ClientAddresses;
  /** In which large messages are read. */
  readonly turns: PacedTurns;
  readonly store: ObjectStore;
  readonly urls: UrlSigner;
  /** What `/metrics` shows. */
  readonly metrics: Metrics;
  readonly log: Logger;
  /** How long clients may take; `HTTP_TIMES` by default. */
  readonly times?: HttpTimes;
  /** Throws when the database does not answer. */
  readonly ping: () => Promise<void>;
  /** How changes arrive: at once, or by polling while LISTEN is unavailable. */
  readonly listenerMode: () => 'listening' | 'polling';
  /** Runs a tick in this process; undefined where there is no worker. */
  readonly runTick?: RunTick;
  /** The REST API's routes, those of the domains among them. */
  readonly restRoutes: readonly RestRoute[];
}
