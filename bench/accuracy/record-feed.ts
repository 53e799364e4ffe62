import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as browserType, type Page } from 'playwright-core';
import { visibleWords } from './browser-words.ts';
import { FEED_SIZE, feedHtml } from './feed-page.ts';
import type { FeedTruth, StillState } from './truth.ts';

export interface RecordedFeed {
  readonly videoPath: string;
  readonly truthPath: string;
  readonly truth: FeedTruth;
}

const FPS = 30;
const PAGES_PER_THEME = 10;
/** Pictures that a page stands, and that a scroll takes. */
const STILL_FRAMES = 78;
const SCROLL_FRAMES = 12;
const SCROLL_PX = 560;
/**
 * On this page of each theme a price changes, on that one the feed moves by a few pixels, when half of its
 * time is over.
 */
const PRICE_PAGE = 5;
const NUDGE_PAGE = 3;
const NUDGE_PX = 23;
const SEEDS = { light: 20260101, dark: 20260202 };

/**
 * Renders a feed of 20 pages, light and dark, in Chromium, and records it as a screen recorder does:
 * `feed.mp4`, and `truth.json` with each word's box and times out of the page itself. Takes a minute.
 * @param ffmpegPath with libx264
 * @param directory that exists
 */
export async function recordFeed(ffmpegPath: string, directory: string): Promise<RecordedFeed> {
  const [videoPath, truthPath] = [join(directory, 'feed.mp4'), join(directory, 'truth.json')];
  const browser = await browserType.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, '--no-sandbox'],
  });
  try {
    const page = await browser.newPage({
      viewport: { width: FEED_SIZE.widthPx, height: FEED_SIZE.heightPx },
    });
    const video = openVideo(ffmpegPath, videoPath);
    const states: StillState[] = [];
    for (const theme of ['light', 'dark'] as const) {
      await page.setContent(feedHtml(theme, SEEDS[theme], 40));
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      // Chromium keeps the place of the document before it.
      await page.evaluate(scrollFeed, 0);
      await recordTheme(page, video, states, theme === 'light' ? 0 : PAGES_PER_THEME);
    }
    await video.end();
    const truth: FeedTruth = { ...FEED_SIZE, fps: FPS, durationMs: timeOf(video.frames), states };
    await writeFile(truthPath, JSON.stringify(truth));
    return { videoPath, truthPath, truth };
  } finally {
    await browser.close();
  }
}

async function recordTheme(page: Page, video: Video, states: StillState[], firstPage: number): Promise<void> {
  let top = 0;
  const still = async (pageNo: number, frames: number): Promise<void> => {
    const tStartMs = timeOf(video.frames);
    const words = await page.evaluate(visibleWords);
    await video.show(await page.screenshot(), frames);
    states.push({ page: pageNo, tStartMs, tEndMs: timeOf(video.frames), words });
  };
  for (let index = 0; index < PAGES_PER_THEME; index++) {
    const half = STILL_FRAMES / 2;
    const isSplit = index === PRICE_PAGE || index === NUDGE_PAGE;
    await still(firstPage + index, isSplit ? half : STILL_FRAMES);
    if (isSplit) {
      if (index === NUDGE_PAGE) top += NUDGE_PX;
      await page.evaluate(index === NUDGE_PAGE ? scrollFeed : changePrice, top);
      await still(firstPage + index, half);
    }
    if (index === PAGES_PER_THEME - 1) return;
    for (let frame = 1; frame < SCROLL_FRAMES; frame++) {
      const share = (1 - Math.cos((Math.PI * frame) / SCROLL_FRAMES)) / 2;
      await page.evaluate(scrollFeed, Math.round(top + share * SCROLL_PX));
      await video.show(await page.screenshot(), 1);
    }
    top += SCROLL_PX;
    await page.evaluate(scrollFeed, top);
  }
}

/** In the browser. */
function scrollFeed(top: number): void {
  scrollTo(0, top);
}

/** In the browser: the first price that is in the middle of the window gets another digit. */
function changePrice(): void {
  const prices = [...document.querySelectorAll('.price')];
  const price = prices.find((element) => element.getBoundingClientRect().y > innerHeight / 4);
  if (price === undefined) throw new Error('There is no price to change');
  price.textContent = (price.textContent ?? '').replace(/\d$/, (digit) => String((Number(digit) + 4) % 10));
}

interface Video {
  /** So far. */
  readonly frames: number;
  show(png: Buffer, frames: number): Promise<void>;
  end(): Promise<void>;
}

/** ffmpeg, which gets one picture after the other. */
function openVideo(ffmpegPath: string, path: string): Video {
  const input = ['-f', 'image2pipe', '-framerate', String(FPS), '-c:v', 'png', '-i', 'pipe:0'];
  const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p', '-g', '250'];
  const color = ['-vf', 'scale=out_color_matrix=bt709:out_range=tv', '-colorspace', 'bt709'];
  const args = ['-v', 'error', '-y', ...input, ...color, ...encode, '-movflags', '+faststart', path];
  const child = spawn(ffmpegPath, args, { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdin.on('error', () => undefined);
  const closed = once(child, 'close');
  let frames = 0;
  return {
    get frames() {
      return frames;
    },
    show: async (png, count) => {
      for (let n = 0; n < count; n++) {
        if (!child.stdin.write(png)) await Promise.race([once(child.stdin, 'drain'), closed]);
      }
      frames += count;
    },
    end: async () => {
      child.stdin.end();
      const [code] = await closed;
      if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${said}`);
    },
  };
}

function timeOf(frame: number): number {
  return Math.round((frame * 1000) / FPS);
}
