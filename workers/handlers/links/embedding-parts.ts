const PART_LENGTH = 600;
const MAX_PARTS = 12;

/**
 * The parts of a text that are embedded: what it is about first, then pieces from all over it, so that long
 * texts cost no more than others.
 */
export function embeddingParts(content: {
  readonly title: string | null;
  readonly description: string | null;
  readonly summary: string;
  readonly text: string;
}): readonly string[] {
  const { title, description, summary, text } = content;
  const about = [title, description]
    .filter((part) => part !== null && part !== '')
    .join('. ')
    .slice(0, PART_LENGTH);
  const pieces: string[] = [];
  const room = MAX_PARTS - 2;
  const step = Math.max(PART_LENGTH, Math.floor(text.length / room));
  for (let at = 0; at < text.length && pieces.length < room; at += step)
    pieces.push(text.slice(at, at + PART_LENGTH));
  return [about, summary.slice(0, PART_LENGTH), ...pieces]
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
