import { DomainError } from '../../../core/errors.ts';

/** How pictures are looked at and texts read. */
export interface ProcessingSettings {
  /** Pictures a second that are looked at. */
  readonly targetFps: number;
  /** Pictures that are as similar as this, or more, to one that is kept are left out. */
  readonly dedupeThreshold: number;
  readonly maxFramesPerMinute: number;
  /** Words below it are left out. */
  readonly minConfidence: number;
}

/** What a video says of them; the others are the installation's. */
export type OwnProcessing = Partial<ProcessingSettings>;

/** As a caller gives them. */
export type ProcessingInput =
  | { readonly [Name in keyof ProcessingSettings]?: number | null | undefined }
  | null
  | undefined;

const BUILT_IN: ProcessingSettings = {
  targetFps: 10,
  dedupeThreshold: 0.95,
  maxFramesPerMinute: 60,
  minConfidence: 0.6,
};

/** In which bounds each may be set; the payloads' schemas have the same. */
export const PROCESSING_BOUNDS: Readonly<Record<keyof ProcessingSettings, readonly [number, number]>> = {
  targetFps: [0.1, 60],
  dedupeThreshold: [0, 1],
  maxFramesPerMinute: [1, 3600],
  minConfidence: [0, 1],
};

let defaults = BUILT_IN;

/** What the installation says. Once a process, before it settles jobs. */
export function setProcessingDefaults(settings: ProcessingSettings): void {
  const { targetFps, dedupeThreshold, maxFramesPerMinute, minConfidence } = settings;
  defaults = { targetFps, dedupeThreshold, maxFramesPerMinute, minConfidence };
}

export function processingDefaults(): ProcessingSettings {
  return defaults;
}

const NAMES = {
  targetFps: 'target_fps',
  dedupeThreshold: 'dedupe_threshold',
  maxFramesPerMinute: 'max_frames_per_minute',
  minConfidence: 'min_confidence',
} as const;

/** A video's own settings as they go from one stage's payload to the next. */
export function processingPayload(own: OwnProcessing | null | undefined): Readonly<Record<string, number>> {
  const entries = Object.entries(own ?? {}).filter(([, value]) => value != null);
  return Object.fromEntries(entries.map(([name, value]) => [NAMES[name as keyof typeof NAMES], value]));
}

/**
 * Those that are given, checked; null for none.
 * @throws DomainError `InvalidArgument` naming `processing.targetFps` and the like
 */
export function checkProcessing(given: ProcessingInput): OwnProcessing | null {
  const own: Record<string, number> = {};
  for (const [name, [least, most]] of Object.entries(PROCESSING_BOUNDS)) {
    const value = given?.[name as keyof ProcessingSettings];
    if (value == null) continue;
    const isWhole = name !== 'maxFramesPerMinute' || Number.isInteger(value);
    const allowed = `${least} to ${most}${name === 'maxFramesPerMinute' ? ', a whole number' : ''}`;
    if (!(value >= least && value <= most && isWhole))
      throw new DomainError('InvalidArgument', `processing.${name} is ${value}; allowed: ${allowed}.`, {
        field: `processing.${name}`,
        allowed,
      });
    own[name] = value;
  }
  return Object.keys(own).length === 0 ? null : own;
}
