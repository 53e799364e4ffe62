import { join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import { toError } from '../../src/core/errors.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { MediaTools, OcrTools } from '../handler.ts';
import { mediaLimits } from './media-limits.ts';
import { findMediaTools } from './media-tools.ts';
import { findOcrTools } from './ocr-tools.ts';

/** Media jobs fail with a clear error on a machine without ffmpeg; everything else runs. */
export async function mediaTools(config: Config, log: Logger): Promise<MediaTools | null> {
  try {
    const found = await findMediaTools({
      ffmpegPath: config.ffmpegPath,
      ffprobePath: config.ffprobePath,
      searchPath: config.searchPath,
      cacheDir: join(config.dataDir, 'tools'),
      allowNpm: config.allowNpmFfmpeg,
      limits: mediaLimits(config),
    });
    log.info({ ffmpeg: found.ffmpegPath, source: found.ffmpeg.source }, 'worker: media tools found');
    if ([found.ffmpeg, found.ffprobe].some(({ source }) => source === 'npm'))
      log.warn(
        { ffmpeg: found.ffmpegPath, ffprobe: found.ffprobePath },
        "worker: npm's media tools are of 2018 and get no security updates: install ffmpeg 5 or newer before taking files of strangers",
      );
    return found;
  } catch (error) {
    log.warn({ reason: toError(error).message }, 'worker: no media tools; media jobs will fail');
    return null;
  }
}

/** Without any, `ocr` fails with a clear error, and everything else runs. */
export async function ocrTools(config: Config, log: Logger): Promise<OcrTools | null> {
  try {
    const found = await findOcrTools({ tesseractPath: config.tesseractPath, searchPath: config.searchPath });
    log.info({ engine: found.engine, version: found.version }, 'worker: reader of texts found');
    return found;
  } catch (error) {
    log.warn({ reason: toError(error).message }, 'worker: no reader of texts; ocr jobs will fail');
    return null;
  }
}
