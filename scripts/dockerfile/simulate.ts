import { existsSync, mkdirSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { copyTree, openContext } from './context.ts';
import type { Instruction, Stage } from './parse.ts';
import { runShell } from './run-shell.ts';

export interface Simulation {
  readonly contextFolder: string;
  /** An empty folder, one folder a stage is made in it. */
  readonly workFolder: string;
  /** What the commands may see of this machine, PATH and the like. */
  readonly env: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
  readonly runTimeoutMs: number;
}

/** What a line asks for that only root can do; such lines are reported and left out. */
const NEEDS_ROOT: readonly (readonly [RegExp, string])[] = [
  [/\b(apt-get|apt|dpkg|apk)\b/, 'installs system packages'],
  [/\b(useradd|groupadd|adduser|addgroup)\b/, 'makes a user'],
  [/\b(chown\b|install\s.*--owner)/, 'gives files to another user'],
];

/**
 * Carries out a Dockerfile without a container engine: COPY and WORKDIR into one folder a stage, RUN with
 * that folder's WORKDIR as the current one. Absolute paths inside a RUN line are this machine's, so such
 * lines cannot be judged here.
 *
 * @returns the last stage's working folder and the environment its ENV lines make
 * @throws Error that names the line of the Dockerfile, at the first one that fails
 */
export function simulate(
  stages: readonly Stage[],
  simulation: Simulation,
): { folder: string; env: Record<string, string> } {
  const stageFolders = new Map<string, string>();
  let folder = simulation.workFolder;
  let env: Record<string, string> = {};
  for (const [number, stage] of stages.entries()) {
    const root = join(simulation.workFolder, `stage-${stage.name}`);
    stageFolders.set(stage.name, root).set(String(number), root);
    mkdirSync(root, { recursive: true });
    env = {};
    let workdir = '/';
    for (const instruction of stage.instructions) {
      try {
        if (instruction.keyword === 'WORKDIR') {
          workdir = posix.resolve(workdir, instruction.text);
          mkdirSync(join(root, workdir), { recursive: true });
        } else if (instruction.keyword === 'ENV') {
          Object.assign(env, readEnv(instruction));
        } else if (instruction.keyword === 'COPY') {
          copy(instruction, { root, workdir, stageFolders, simulation });
        } else if (instruction.keyword === 'RUN') {
          run(instruction, { root, workdir, env, simulation });
        }
      } catch (error) {
        throw new Error(
          `Dockerfile line ${instruction.line}: ${error instanceof Error ? error.message : error}`,
        );
      }
    }
    folder = join(root, workdir);
  }
  return { folder, env };
}

function readEnv({ text }: Instruction): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([A-Za-z_]\w*)=("[^"]*"|\S+)/g)].map((match) => [
      match[1],
      match[2]?.replace(/^"|"$/g, ''),
    ]),
  );
}

interface CopyPlace {
  readonly root: string;
  readonly workdir: string;
  readonly stageFolders: ReadonlyMap<string, string>;
  readonly simulation: Simulation;
}

function copy({ text, flags }: Instruction, { root, workdir, stageFolders, simulation }: CopyPlace): void {
  const words = text.split(/\s+/);
  const target = words.at(-1) ?? '';
  const sources = words.slice(0, -1);
  const targetPath = join(root, posix.resolve(workdir, target));
  const intoFolder =
    target.endsWith('/') ||
    target === '.' ||
    sources.length > 1 ||
    (existsSync(targetPath) && sources.length > 1);
  const from = flags.get('from');
  const stageFolder = from === undefined ? undefined : stageFolders.get(from);
  if (from !== undefined && stageFolder === undefined) throw new Error(`COPY --from=${from}: no such stage`);
  const context = openContext(simulation.contextFolder);
  for (const source of sources) {
    const place = intoFolder ? join(targetPath, basename(source)) : targetPath;
    if (stageFolder === undefined) context.copy(source, place);
    else copyTree(join(stageFolder, source), place);
  }
}

interface RunPlace {
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly simulation: Simulation;
}

function run({ text, line }: Instruction, { root, workdir, env, simulation }: RunPlace): void {
  const privileged = NEEDS_ROOT.find(([pattern]) => pattern.test(text));
  if (privileged !== undefined) {
    simulation.log(`line ${line}: skipped, ${privileged[1]}, which needs root: ${text}`);
    return;
  }
  const started = performance.now();
  runShell({
    command: text,
    cwd: join(root, workdir),
    ownedFolder: simulation.workFolder,
    env: { ...simulation.env, ...env },
    timeoutMs: simulation.runTimeoutMs,
  });
  simulation.log(`line ${line}: ran in ${((performance.now() - started) / 1000).toFixed(1)} s: ${text}`);
}
