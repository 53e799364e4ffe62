import type { VideoColor, VideoStream } from './media-info.ts';

/**
 * Nits that come out as the white of a page, before the highlights are pressed together: the white of
 * graphics in HDR (ITU-R BT.2408). With less of it, texts of a recorded HDR screen are grey on grey.
 */
const REFERENCE_WHITE_NITS = 203;
/**
 * The peak that nearly all HDR is graded for. Said explicitly: where a file does not state it, ffmpeg takes
 * 10,000 nits and the picture gets dark.
 */
const PEAK_NITS = 1000;

/** What players take a picture of this height for when its colours have no tag. */
const MIN_HD_HEIGHT_PX = 577;

/** Tags that the encoder is given as they are. */
const MATRICES = new Set(['bt709', 'smpte170m', 'bt470bg', 'bt2020nc']);
const PRIMARIES = new Set(['bt709', 'smpte170m', 'bt470bg', 'bt2020']);
const TRANSFERS = new Set(['bt709', 'smpte170m']);

/**
 * From PQ or HLG to R'G'B' of ordinary screens, 8 bits, in BT.709. What the file does not say is taken for
 * what HDR always is.
 *
 * Light is added and pressed together in linear light, in floats. The conversion to integers of `gbrp` comes
 * before that to YCbCr: it cuts what lies outside BT.709's colours, channel by channel, which two builds of
 * zscale otherwise do differently.
 */
export function toneMapFilters({ color }: Pick<VideoStream, 'color'>): readonly string[] {
  const input = [
    `tin=${color.transfer === 'arib-std-b67' ? 'arib-std-b67' : 'smpte2084'}`,
    `pin=${color.primaries === 'bt709' ? 'bt709' : 'bt2020'}`,
    `min=${color.matrix === 'bt709' ? 'bt709' : 'bt2020nc'}`,
    `rin=${color.range === 'pc' ? 'pc' : 'tv'}`,
  ].join(':');
  return [
    `zscale=${input}:t=linear:p=bt709:npl=${REFERENCE_WHITE_NITS}`,
    'format=gbrpf32le',
    `tonemap=tonemap=mobius:desat=0:peak=${(PEAK_NITS / REFERENCE_WHITE_NITS).toFixed(3)}`,
    'zscale=t=bt709',
    'format=gbrp',
  ];
}

/** Whether the pixels are red, green and blue, as those of some screen recordings. */
export function isRgb({ pixelFormat }: Pick<VideoStream, 'pixelFormat'>): boolean {
  return /^(?:rgb|bgr|gbr|argb|abgr|0rgb|0bgr|pal8|x2rgb|x2bgr)/.test(pixelFormat ?? '');
}

/**
 * What to say of the colours of a picture that went through `videoFilters`: those of the source, which are
 * kept, as players else guess them by the height, and see another one in each rendition.
 * @param converted to BT.709, from HDR or RGB
 */
export function colorOf(video: VideoStream, converted: boolean): VideoColor {
  const { color, heightPx, widthPx } = video;
  const isHd = Math.min(heightPx, widthPx) >= MIN_HD_HEIGHT_PX;
  const fallback = converted || (isHd && color.matrix === null) ? 'bt709' : null;
  const pick = (value: string | null, allowed: ReadonlySet<string>): string | null =>
    !converted && value !== null && allowed.has(value) ? value : fallback;
  return {
    matrix: pick(color.matrix, MATRICES),
    primaries: pick(color.primaries, PRIMARIES),
    transfer: pick(color.transfer, TRANSFERS),
    range: 'tv',
  };
}
