/** The package has no types; this is what the tests ask of it. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Account {
    readonly accountId: string;
    claims(): Readonly<Record<string, unknown>>;
  }

  // biome-ignore lint/style/noDefaultExport: it is how the package exports it
  export default class Provider {
    constructor(
      issuer: string,
      configuration: Readonly<Record<string, unknown>> & {
        readonly findAccount: (context: unknown, sub: string) => Account;
      },
    );
    callback(): RequestListener;
  }
}
