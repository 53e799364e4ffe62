import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { openBrowser } from './browser.ts';

/** What a player that has loaded a stream stands at, before it plays. */
export interface Watched {
  /** What `look` read off the picture. */
  readonly shown: unknown;
  /** By PROGRAM-DATE-TIME, which our playlists count from 1970. */
  readonly atMs: number;
  readonly lengthSeconds: number;
}

const STILL_WITHIN_MS = 60_000;

/**
 * The number of a picture of `numberedVideo`, read off a canvas: JavaScript of the page, in which `video` is
 * available.
 */
export const readBars = `(() => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [10, 1];
  const context = canvas.getContext('2d');
  context.drawImage(video, 0, 0, 10, 1);
  const { data } = context.getImageData(0, 0, 10, 1);
  return Array.from({ length: 10 }, (_, bar) => (data[4 * bar] > 128 ? 2 ** bar : 0)).reduce((sum, bit) => sum + bit, 0);
})()`;

/**
 * Loads an HLS stream with hls.js in headless Chromium, on a page of another origin, and looks at the picture
 * with which it would begin, until that is as expected or a minute is over: a busy browser has come to its
 * place, and not sought on from there, before it draws the picture of it.
 * @param look an expression of the page
 * @param isExpected of what was seen; nothing moves any more once it is
 */
export async function watchHls(
  playlistUrl: string,
  look: string,
  isExpected: (seen: Watched) => boolean,
): Promise<Watched> {
  const hls = await readFile(createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js'), 'utf8');
  const pages = createServer((request, response) => {
    const isScript = request.url === '/hls.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.setHeader('connection', 'close');
    response.end(
      isScript ? hls : '<!doctype html><video id="v" muted></video><script src="/hls.js"></script>',
    );
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    await page.evaluate(`{
      window.video = document.getElementById('v');
      window.player = new Hls();
      window.complaints = [];
      player.on(Hls.Events.ERROR, (_, data) => complaints.push(data.details + ' ' + (data.error?.message ?? '')));
      player.loadSource(${JSON.stringify(playlistUrl)});
      player.attachMedia(video);
    }`);
    // Where it begins is not 0: it has sought once it has the playlist.
    await page
      .waitForFunction('video.readyState >= 2 && !video.seeking && video.currentTime > 0')
      .catch(async (error: Error) => {
        throw new Error(
          `${error.message}: ${await page.evaluate('JSON.stringify([complaints, video.currentTime])')}`,
        );
      });
    for (const untilMs = performance.now() + STILL_WITHIN_MS; ; ) {
      const seen = (await page.evaluate(
        `({ shown: ${look}, atMs: player.playingDate?.getTime() ?? 0, lengthSeconds: video.duration })`,
      )) as Watched;
      if (isExpected(seen) || performance.now() > untilMs) return seen;
      await delay(100);
    }
  } finally {
    await browser.close();
    await new Promise((resolve) => pages.close(resolve));
  }
}
