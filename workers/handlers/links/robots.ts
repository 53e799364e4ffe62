/** What a robots.txt says to one robot. */
export interface RobotRules {
  /** @param path with its query */
  allows(path: string): boolean;
  /** Least time between two requests; null where it does not say. */
  readonly delaySeconds: number | null;
}

interface Rule {
  readonly isAllowed: boolean;
  readonly pattern: string;
}

interface Group {
  readonly robots: string[];
  readonly rules: Rule[];
  delaySeconds: number | null;
}

const MAX_LINES = 20_000;
const MAX_DELAY_SECONDS = 3_600;

/**
 * Reads a robots.txt as RFC 9309 says: the groups of the robot's own name together, else those of `*`; of the
 * rules that fit, the longest counts, and of two as long the one that allows.
 * @param robotName lower case
 */
export function parseRobots(text: string, robotName: string): RobotRules {
  const groups = groupsOf(text);
  const own = groups.filter(({ robots }) => robots.includes(robotName));
  const chosen = own.length > 0 ? own : groups.filter(({ robots }) => robots.includes('*'));
  const rules = chosen.flatMap((group) => group.rules);
  const delays = chosen.flatMap(({ delaySeconds }) => (delaySeconds === null ? [] : [delaySeconds]));
  return {
    delaySeconds: delays.length === 0 ? null : Math.max(...delays),
    allows: (path) => {
      let best: Rule | undefined;
      for (const rule of rules) {
        if (best !== undefined && rule.pattern.length < best.pattern.length) continue;
        if (best?.pattern.length === rule.pattern.length && best.isAllowed) continue;
        if (fits(rule.pattern, path)) best = rule;
      }
      return best?.isAllowed ?? true;
    },
  };
}

function groupsOf(text: string): readonly Group[] {
  const groups: Group[] = [];
  let current: Group | undefined;
  let isNaming = false;
  for (const line of text.split(/\r\n|\r|\n/, MAX_LINES)) {
    const content = line.split('#', 1)[0] ?? '';
    const colon = content.indexOf(':');
    if (colon < 0) continue;
    const key = content.slice(0, colon).trim().toLowerCase();
    const value = content.slice(colon + 1).trim();
    if (key === 'user-agent') {
      if (current === undefined || !isNaming) {
        current = { robots: [], rules: [], delaySeconds: null };
        groups.push(current);
      }
      current.robots.push(value.toLowerCase().split('/', 1)[0] ?? '');
      isNaming = true;
      continue;
    }
    isNaming = false;
    if ((key === 'allow' || key === 'disallow') && value !== '')
      current?.rules.push({ isAllowed: key === 'allow', pattern: value });
    const seconds = key === 'crawl-delay' ? Number(value) : Number.NaN;
    if (current !== undefined && seconds >= 0) current.delaySeconds = Math.min(MAX_DELAY_SECONDS, seconds);
  }
  return groups;
}

/**
 * Whether a pattern with `*` and a last `$` fits the beginning of a path. In steps, since the pattern is a
 * stranger's.
 */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (index === 0) {
      if (!path.startsWith(part)) return false;
      at = part.length;
    } else if (isWhole && index === parts.length - 1) {
      return path.length - part.length >= at && path.endsWith(part);
    } else {
      const found = path.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
  }
  return !isWhole || at === path.length;
}
