/** Whole seconds from now to a time; 0 when it is over. */
export function secondsUntil(time: Date): number {
  return Math.max(0, Math.floor((time.getTime() - Date.now()) / 1000));
}
