import type { JobDefinition } from '../definition.ts';
import { clipGenerate } from './clip-generate.ts';
import { echo } from './echo.ts';
import { transcode } from './transcode.ts';

/**
 * The definitions that Millrace ships.
 * @param options.echo false leaves the try-out definition away
 */
export function builtInDefinitions(options: { readonly echo: boolean }): readonly JobDefinition[] {
  return options.echo ? [echo, transcode, clipGenerate] : [transcode, clipGenerate];
}
