import type { JobDefinition } from '../core/definition.ts';
import { clipGenerate } from './clips/clip-generate.ts';
import { echo } from './echo/echo.ts';
import { ocr } from './videos/definitions/ocr.ts';
import { sample } from './videos/definitions/sample.ts';
import { scanOriginals } from './videos/definitions/scan-originals.ts';
import { segmentIndex } from './videos/definitions/segment-index.ts';
import { transcode } from './videos/definitions/transcode.ts';

/**
 * The definitions that Millrace ships.
 * @param options.echo false leaves the try-out definition away
 */
export function builtInDefinitions(options: { readonly echo: boolean }): readonly JobDefinition[] {
  const always = [transcode, sample, ocr, segmentIndex, clipGenerate, scanOriginals];
  return options.echo ? [echo, ...always] : always;
}
