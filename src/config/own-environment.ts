/** The variables of this process, of which commands may be given some by name. */
export function ownEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
