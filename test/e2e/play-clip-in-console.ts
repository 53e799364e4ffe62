import { globSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { waitFor } from '../support/wait.ts';

/**
 * What somebody does with the first link that a demo prints: opens the sample, looks along its bar, marks a
 * part, plays it before there is a clip, asks for the clip and plays that; and what is shown of a clip that
 * cannot be made.
 * @param dataDir of the demo, where the sample's file is missing for a while
 */
export async function playClipInConsole(link: string, dataDir: string): Promise<void> {
  const browser = await openBrowser({ isShared: true });
  try {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    await page.goto(link);
    await page.getByRole('link', { name: 'Videos' }).click();
    await page.locator('main a[href*="/videos/"]').first().click();
    const seconds = async (selector: string): Promise<number> =>
      Number(await page.evaluate(`document.querySelector('${selector}')?.currentTime ?? 0`));
    const bar = page.getByLabel('Place in the video');
    await bar.waitFor();
    const pictures = page.waitForResponse(
      (response) => response.request().resourceType() === 'image' && /storyboard/.test(response.url()),
    );
    // Along the bar: another picture at its end than at its beginning.
    const picture = page.locator('.scrubber-picture');
    const width = (await bar.boundingBox())?.width ?? 0;
    await bar.hover({ position: { x: 4, y: 10 } });
    await picture.waitFor();
    const first = await picture.getAttribute('data-at');
    await bar.hover({ position: { x: width - 6, y: 10 } });
    await waitFor(async () => (await picture.getAttribute('data-at')) !== first, {
      describe: 'another picture',
      pollMs: 50,
    });
    expect((await pictures).status()).toBe(200);
    await page.getByRole('spinbutton', { name: 'From (key i)' }).fill('2');
    await page.getByRole('spinbutton', { name: 'To (key o)' }).fill('3.5');
    await page.getByRole('button', { name: 'Preview' }).click();
    // It plays the marked part and begins it again: the clip does not exist yet.
    await waitFor(async () => (await seconds('video.player')) > 2.6, {
      describe: 'the preview to play',
      pollMs: 50,
    });
    await waitFor(async () => (await seconds('video.player')) < 2.5, {
      describe: 'the preview to begin again',
      pollMs: 50,
    });
    expect(await seconds('video.player')).toBeGreaterThan(1.5);
    await page.getByRole('button', { name: 'Stop' }).click();
    const before = await page.locator('.clips > li').count();
    await page.getByRole('button', { name: 'Make the clip' }).click();
    await waitFor(async () => (await page.locator('.clips > li').count()) > before, {
      describe: 'the clip',
      pollMs: 100,
    });
    const clip = page.locator('.clips > li').first();
    await clip.getByText('ready', { exact: true }).waitFor();
    await clip.getByText(/The link is good until .*\d/).waitFor();
    await clip.getByRole('button', { name: 'Copy the link' }).waitFor();
    await page.evaluate(`document.querySelector('.clip-player').play()`);
    await waitFor(async () => (await seconds('.clip-player')) > 0.2, {
      describe: 'the clip to play',
      pollMs: 50,
    });
    const [original = ''] = globSync(join(dataDir, '**/videos/original/*/*'));
    await rename(original, `${original}.away`);
    try {
      await page.getByRole('spinbutton', { name: 'To (key o)' }).fill('4');
      await page.getByRole('button', { name: 'Make the clip' }).click();
      const failed = page.locator('.clips > li', { hasText: 'failed' });
      await failed.getByText(/Original video not found/).waitFor();
      expect(await failed.getByRole('button', { name: 'Copy the link' }).count()).toBe(0);
    } finally {
      await rename(`${original}.away`, original);
    }
    await seeFiles(page, new URL(link).origin);
  } finally {
    await browser.close();
  }
}

/** What the jobs of the sample have made: pictures that are drawn, and a stream that plays. */
async function seeFiles(page: Page, origin: string): Promise<void> {
  const filesOf = async (definition: string): Promise<void> => {
    await page.goto(`${origin}/console/jobs?definition=${definition}&status=SUCCEEDED`);
    await page.locator('table.jobs tbody a').first().click();
    await page.getByRole('tab', { name: 'Files' }).click();
  };
  const isDrawn = (group: string) => () =>
    page.evaluate(
      `[...document.querySelectorAll('section[aria-label="${group}"] img')].some(({ naturalWidth }) => naturalWidth > 0)`,
    ) as Promise<boolean>;
  await filesOf('sample');
  await waitFor(isDrawn('Frame'), { describe: 'a frame to be drawn', pollMs: 100 });
  await filesOf('transcode');
  await waitFor(isDrawn('Still picture'), { describe: 'the still picture to be drawn', pollMs: 100 });
  await page
    .getByRole('region', { name: 'Stream', exact: true })
    .getByRole('button', { name: 'Play' })
    .click();
  await page.locator('.file-list video').waitFor();
  // Again until it plays: the stream may be attached after a first call, which that interrupts.
  await waitFor(
    async () =>
      Number(
        await page.evaluate(
          `((video) => (video.paused && video.play().catch(() => undefined), video.currentTime))(
             document.querySelector('.file-list video'))`,
        ),
      ) > 0.2,
    { describe: 'the stream to play', pollMs: 50 },
  );
}
