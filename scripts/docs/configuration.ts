import { allSettings } from '../../src/config/config.ts';

/** The page about settings, from the settings themselves. */
export function configurationPage(): string {
  const rows = allSettings().map((setting) => {
    const shown =
      setting.defaultText === null || setting.defaultText === '' ? '–' : `\`${setting.defaultText}\``;
    const inProduction =
      setting.productionText === undefined ? '' : `; \`${setting.productionText}\` in production`;
    return `| \`${setting.variable}\` | ${shown}${inProduction} | ${setting.description}${setting.secret === true ? ' Secret: never printed.' : ''} |`;
  });
  return `# Configuration

Every setting is an environment variable. All problems are reported together, unknown \`MILLRACE_*\` variables among them;
\`node src/main.ts --check\` prints what is in force and exits. An empty variable counts as not set. "In production" is
where \`NODE_ENV\` is \`production\`, as in the container image.

| variable | default | meaning |
| --- | --- | --- |
${rows.join('\n')}
`;
}
