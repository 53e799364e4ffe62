import type { WordBox } from './truth.ts';

/**
 * The words that the page shows whole, with their boxes. Runs in the browser, so it must not need anything
 * from here.
 */
export function visibleWords(): WordBox[] {
  const found: WordBox[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (parent === null || parent.tagName === 'STYLE') continue;
    for (const match of (node.nodeValue ?? '').matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const [box, second] = range.getClientRects();
      if (box === undefined || second !== undefined) continue;
      const [right, bottom] = [box.x + box.width, box.y + box.height];
      if (box.x < 0 || box.y < 0 || right > innerWidth || bottom > innerHeight) continue;
      // What the fixed head covers, in part or whole, is not there to be read.
      const corners = [
        [box.x + 1, box.y + 1],
        [right - 1, box.y + 1],
        [box.x + 1, bottom - 1],
        [right - 1, bottom - 1],
      ] as const;
      const isCovered = corners.some(([x, y]) => {
        const top = document.elementFromPoint(x, y);
        return top === null || !(parent.contains(top) || top.contains(parent));
      });
      if (!isCovered)
        found.push({ text: match[0], x: box.x, y: box.y, width: box.width, height: box.height });
    }
  }
  return found;
}
