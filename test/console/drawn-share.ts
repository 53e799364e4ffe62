import type { Locator, Page } from 'playwright-core';

/**
 * How much of a bar is drawn in the colour of its left end, as pixels have it.
 * @param reader a page without a policy, where a picture may be read
 * @returns 0 to 1
 */
export async function drawnShare(bar: Locator, reader: Page): Promise<number> {
  const picture = (await bar.screenshot()).toString('base64');
  return Number(
    await reader.evaluate(async (data) => {
      const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      if (context === null) return Number.NaN;
      context.drawImage(bitmap, 0, 0);
      const row = context.getImageData(0, Math.floor(bitmap.height / 2), bitmap.width, 1).data;
      const at = (x: number): readonly number[] => [...row.slice(4 * x, 4 * x + 3)];
      const first = at(3);
      const isFilled = (x: number): boolean =>
        at(x).every((value, index) => Math.abs(value - (first[index] ?? 0)) < 24);
      let x = 3;
      while (x < bitmap.width && isFilled(x)) x++;
      return x / bitmap.width;
    }, picture),
  );
}
