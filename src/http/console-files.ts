import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the built console lies, in the repository and in the package. */
export const BUILT_CONSOLE = fileURLToPath(new URL('../../console/dist/', import.meta.url));

/** Whether there is a console to serve. */
export function hasConsole(): boolean {
  return existsSync(`${BUILT_CONSOLE}index.html`);
}
