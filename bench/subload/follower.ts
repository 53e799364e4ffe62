/** What a client of `jobChanges` knows: the version of every job that it has received, and where to go on. */
export class Follower {
  readonly versions = new Map<string, string>();
  cursor: string | null = null;
  /** Times that a job came in an older version than it had come before. */
  wentBackCount = 0;
  /** Times that it was asked to forget what it knew. */
  resyncCount = 0;
  errorCount = 0;

  /** Takes a `next` message. @returns what is wrong with it */
  take(message: Buffer): string | null {
    const { payload } = JSON.parse(message.toString()) as { payload: Payload };
    const event = payload.data?.jobChanges;
    if (payload.errors !== undefined || event == null) {
      this.errorCount++;
      return message.toString();
    }
    if (event.__typename === 'ResyncRequired') {
      this.resyncCount++;
      this.versions.clear();
      this.cursor = null;
    }
    if (event.job) this.#update(event.job);
    if (event.cursor !== undefined) this.cursor = event.cursor;
    return null;
  }

  /** How many of these jobs it does not know in this version, or knows although they are none of these. */
  differences(truth: Readonly<Record<string, string>>): number {
    const others = [...this.versions.keys()].filter((id) => !(id in truth)).length;
    return Object.entries(truth).filter(([id, version]) => this.versions.get(id) !== version).length + others;
  }

  #update({ uuid, version }: { readonly uuid: string; readonly version: string }): void {
    const known = this.versions.get(uuid);
    if (known !== undefined && BigInt(version) < BigInt(known)) this.wentBackCount++;
    this.versions.set(uuid, version);
  }
}

interface Payload {
  readonly errors?: unknown;
  readonly data?: {
    readonly jobChanges?: {
      readonly __typename: string;
      readonly cursor?: string;
      readonly job?: { readonly uuid: string; readonly version: string } | null;
    } | null;
  } | null;
}

/** What they watch: the jobs of one correlation id. */
export const FOLLOW = `subscription ($key: String!, $after: String) {
  jobChanges(filter: { correlationId: $key }, after: $after) {
    __typename
    ... on JobUpdated { cursor job { uuid version } }
    ... on FeedReady { cursor } ... on FeedCheckpoint { cursor } ... on ResyncRequired { reason }
  } }`;
