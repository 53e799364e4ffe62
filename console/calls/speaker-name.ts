/** Who speaks: by the name that the call has for them, or by their number. @param speaker from 0 */
export function speakerName(speakers: readonly string[], speaker: number): string {
  return speakers[speaker] ?? `Speaker ${speaker + 1}`;
}
