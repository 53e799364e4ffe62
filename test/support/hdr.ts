import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeMedia } from './media.ts';

type Rgb = readonly [number, number, number];

/**
 * A patch of light, linear and in BT.709's colours, and what is to be seen of it on an ordinary screen, 0
 * to 255.
 */
export interface HdrPatch {
  readonly nits: Rgb;
  readonly rgb: Rgb;
}

/**
 * From the standards' formulas: 203 nits count as 1, the highest of the three channels is pressed together
 * (mobius, linear up to 0.3, of a peak of 1,000 nits), and the screen's gamma is 2.4.
 */
const NITS: readonly Rgb[] = [
  [203, 203, 203],
  [100, 100, 100],
  [50, 50, 50],
  [0, 0, 0],
  [1000, 1000, 1000],
  // Not pure: a code of the source more or less in an absent channel would be seen as a tenth of the whole
  // range.
  [100, 20, 20],
  [20, 100, 20],
  [20, 20, 100],
  [60, 40, 30],
];
export const HDR_PATCHES: readonly HdrPatch[] = NITS.map((nits) => ({ nits, rgb: seen(nits) }));

const PATCH_PX = 32;

/** A second of these patches side by side, as 10-bit HEVC in BT.2020 with PQ or HLG. */
export async function makeHdrPatches(
  directory: string,
  transfer: 'smpte2084' | 'arib-std-b67',
): Promise<string> {
  const codes = NITS.map((nits) => {
    const [r, g, b] = toBt2020(nits);
    const signal = transfer === 'smpte2084' ? ([pq(r), pq(g), pq(b)] as const) : hlg([r, g, b]);
    const luma = 0.2627 * signal[0] + 0.678 * signal[1] + 0.0593 * signal[2];
    const [cb, cr] = [(signal[2] - luma) / 1.8814, (signal[0] - luma) / 1.4746];
    return [64 + 876 * luma, 512 + 896 * cb, 512 + 896 * cr].map(Math.round);
  });
  const plane = (channel: number, px: number): Buffer => {
    const row = Buffer.alloc(2 * codes.length * px);
    for (const [index, code] of codes.entries())
      for (let x = 0; x < px; x++) row.writeUInt16LE(code[channel] ?? 0, 2 * (index * px + x));
    return Buffer.concat(Array.from({ length: px }, () => row));
  };
  const frame = Buffer.concat([plane(0, PATCH_PX), plane(1, PATCH_PX / 2), plane(2, PATCH_PX / 2)]);
  await writeFile(join(directory, 'patches.yuv'), Buffer.concat(Array.from({ length: 5 }, () => frame)));
  const size = `${codes.length * PATCH_PX}x${PATCH_PX}`;
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p10le', '-s', size, '-r', '5', '-i', 'patches.yuv'];
  const color = `colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`;
  const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', `log-level=error:crf=4:${color}`];
  return await makeMedia(directory, [...raw, ...hevc, '-tag:v', 'hvc1', `${transfer}.mp4`]);
}

function seen(nits: Rgb): Rgb {
  const [white, peak, linear] = [203, 1000 / 203, 0.3];
  const highest = Math.max(...nits) / white;
  const a = (-linear * linear * (peak - 1)) / (linear * linear - 2 * linear + peak);
  const b = (linear * linear - 2 * linear * peak + peak) / (peak - 1);
  const pressed = (((b + linear) ** 2 / (b - a)) * (highest + a)) / (highest + b);
  const scale = highest <= linear ? 1 : pressed / highest;
  const [r, g, blue] = nits.map((value) => Math.round(255 * ((value / white) * scale) ** (1 / 2.4)));
  return [r ?? 0, g ?? 0, blue ?? 0];
}

/** ITU-R BT.2087. */
function toBt2020([r, g, b]: Rgb): Rgb {
  return [
    0.6274 * r + 0.3293 * g + 0.0433 * b,
    0.0691 * r + 0.9195 * g + 0.0114 * b,
    0.0164 * r + 0.088 * g + 0.8956 * b,
  ];
}

/** SMPTE ST 2084. */
function pq(nits: number): number {
  const power = (nits / 10_000) ** (2610 / 16_384);
  return ((3424 / 4096 + (2413 / 128) * power) / (1 + (2392 / 128) * power)) ** (2523 / 32);
}

/** ITU-R BT.2100, for a screen of 1,000 nits. */
function hlg(nits: Rgb): Rgb {
  const [r, g, b] = nits.map((value) => value / 1000) as [number, number, number];
  const luminance = 0.2627 * r + 0.678 * g + 0.0593 * b;
  const encode = (light: number): number => {
    const scene = luminance === 0 ? 0 : light * luminance ** (1 / 1.2 - 1);
    return scene <= 1 / 12
      ? Math.sqrt(3 * scene)
      : 0.17883277 * Math.log(12 * scene - 0.28466892) + 0.55991073;
  };
  return [encode(r), encode(g), encode(b)];
}
