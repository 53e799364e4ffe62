/** The repository is no package: `npm run build:packages` makes those that are published. */
process.stderr.write('Run npm run build:packages: it makes the packages millrace and @millrace/client.\n');
process.exitCode = 1;
