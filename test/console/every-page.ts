import { PAGE_PARAMS, type ParamRules } from '../../console/page-params.ts';

/** Pages of what a tenant has sent in; the others are of those who run jobs. */
const OF_CONTENT = /^\/(videos|calls|search|links|messages)\b/;

/**
 * The address of each page that the router has, and of each of its tabs.
 * @param examples what stands for the parameters in paths: `{ jobId }`
 * @throws Error for a page of which nobody gives an example
 */
export function everyPage(of: 'content' | 'operators', examples: Readonly<Record<string, string>>): string[] {
  return Object.entries(PAGE_PARAMS as Readonly<Record<string, ParamRules>>)
    .filter(([path]) => OF_CONTENT.test(path) === (of === 'content'))
    .flatMap(([path, { tab }]) => {
      const at = path.replaceAll(/\$(\w+)/g, (_, name: string) => {
        const example = examples[name];
        if (example === undefined) throw new Error(`No example of ${name} for the page ${path}`);
        return example;
      });
      return Array.isArray(tab) ? tab.map((each: string) => `${at}?tab=${each}`) : [at];
    });
}
