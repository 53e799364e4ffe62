/**
 * A change to the text of the page that `@graphql-yoga/render-graphiql` makes, for what it gives no option.
 */
export interface PageRepair {
  /** What its user has of it. */
  readonly what: string;
  readonly find: RegExp;
  readonly put: (match: RegExpExecArray, page: string) => string | null;
}

/**
 * The package's own names are shortened and change with each version: each is found by what stands around it.
 * Where one is not found any more the page works without that repair, and the tests fail.
 */
export const PAGE_REPAIRS: readonly PageRepair[] = [
  {
    what: 'Long lines of the editors are wrapped, not cut.',
    find: /automaticLayout:!0,fontSize:15,/,
    put: ([text]) => `${text}wordWrap:"on",wrappingIndent:"deepIndent",`,
  },
  {
    what: 'What was run is kept as a history.',
    find: /plugins:\[(\w+)\],schemaDescription/,
    put: ([text, explorer], page) => {
      const history = /const (\w+)=\{title:"History",icon:/.exec(page)?.[1];
      return history === undefined ? null : text.replace(`[${explorer}]`, `[${history},${explorer}]`);
    },
  },
  {
    what: 'No token that was typed into "Headers" gets into the history, which the browser stores.',
    find: /,headers:\w+\.headers\?\?void 0,(?=operationName:\w+\.operationName\?\?void 0\}\))/,
    put: () => ',',
  },
  {
    what: 'What is taken out of the history leaves the headers as they are.',
    find: /(?<=\?\.setValue\(\w+\?\?""\),)\w+\?\.setValue\(\w+\?\?""\),(?=\w+\(\w+\.item\)\})/,
    put: () => '',
  },
  {
    // The names come from functions whose names were shortened: "wze icon". Each button says itself what it
    // does.
    what: 'Icons have no titles that mean nothing.',
    find: /const (\w+)=\w+\.name\.replace\("Svg",""\)\.replaceAll\([^;]{1,80}\+" icon",/,
    put: ([, title]) => `const ${title}=void 0,`,
  },
  {
    // A tab that gets the focus takes a position of before the last layout, and the mouse button comes up
    // over something else.
    what: 'The first click on a tab selects it.',
    find: /<\/style>/,
    put: ([text]) => `.graphiql-container .graphiql-tab { transform: none !important; }\n${text}`,
  },
];

/**
 * The page with all repairs.
 * @param onMissing what to do about one that does not fit the page
 */
export function repairPage(page: string, onMissing: (what: string) => void = () => undefined): string {
  let repaired = page;
  for (const { what, find, put } of PAGE_REPAIRS) {
    const match = find.exec(repaired);
    const text = match === null ? null : put(match, repaired);
    if (match === null || text === null) onMissing(what);
    else repaired = repaired.slice(0, match.index) + text + repaired.slice(match.index + match[0].length);
  }
  return repaired;
}
