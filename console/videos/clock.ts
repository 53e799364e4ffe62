/** `1:02`, `1:02:03`; with tenths where they are asked for: `1:02.4`. */
export function clock(ms: number, hasTenths = false): string {
  const seconds = Math.floor(ms / 1_000);
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  const text = h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
  return hasTenths ? `${text}.${Math.floor((ms % 1_000) / 100)}` : text;
}
