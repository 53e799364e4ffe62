import type { JobDefinition } from '../definition.ts';
import { clipGenerate } from './clip-generate.ts';
import { echo } from './echo.ts';
import { ocr } from './ocr.ts';
import { sample } from './sample.ts';
import { scanOriginals } from './scan-originals.ts';
import { segmentIndex } from './segment-index.ts';
import { transcode } from './transcode.ts';

/**
 * The definitions that Millrace ships.
 * @param options.echo false leaves the try-out definition away
 */
export function builtInDefinitions(options: { readonly echo: boolean }): readonly JobDefinition[] {
  const always = [transcode, sample, ocr, segmentIndex, clipGenerate, scanOriginals];
  return options.echo ? [echo, ...always] : always;
}
