/** One instruction of a Dockerfile, its continuation lines joined. */
export interface Instruction {
  readonly keyword: string;
  /** `--from=build` and the like, by name. */
  readonly flags: ReadonlyMap<string, string>;
  readonly text: string;
  readonly line: number;
}

export interface Stage {
  /** The name after AS, or the stage's number. */
  readonly name: string;
  readonly image: string;
  readonly instructions: readonly Instruction[];
}

const KNOWN = new Set(
  'ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL STOPSIGNAL USER VOLUME WORKDIR'.split(
    ' ',
  ),
);

/**
 * Reads a Dockerfile into its stages.
 * @throws Error that names the line, for an instruction that is unknown or stands before the first FROM
 */
export function parseDockerfile(text: string): Stage[] {
  const stages: { name: string; image: string; instructions: Instruction[] }[] = [];
  for (const instruction of readInstructions(text)) {
    if (instruction.keyword === 'FROM') {
      const [, image, name] = /^(\S+)(?:\s+as\s+(\S+))?$/i.exec(instruction.text) ?? [];
      if (image === undefined)
        throw new Error(`line ${instruction.line}: cannot read FROM ${instruction.text}`);
      stages.push({ name: name ?? String(stages.length), image, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage !== undefined) stage.instructions.push(instruction);
    else if (instruction.keyword !== 'ARG')
      throw new Error(`line ${instruction.line}: stands before the first FROM`);
  }
  if (stages.length === 0) throw new Error('has no FROM');
  return stages;
}

function readInstructions(text: string): Instruction[] {
  const instructions: Instruction[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const first = index;
    let joined = '';
    // A comment inside a continued instruction is left out, as the builder does.
    for (; index < lines.length; index++) {
      const line = lines[index] ?? '';
      if (/^\s*(#|$)/.test(line)) {
        if (joined === '') break;
        continue;
      }
      const continued = /\\\s*$/.test(line);
      joined += continued ? line.replace(/\\\s*$/, '') : line;
      if (!continued) break;
    }
    if (joined.trim() !== '') instructions.push(readInstruction(joined.trim(), first + 1));
  }
  return instructions;
}

function readInstruction(source: string, line: number): Instruction {
  const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(source) ?? [];
  const keyword = word.toUpperCase();
  if (!KNOWN.has(keyword)) throw new Error(`line ${line}: unknown instruction ${word}`);
  const flags = new Map<string, string>();
  let text = rest;
  for (
    let flag = /^--([a-z-]+)(?:=(\S+))?\s+/.exec(text);
    flag !== null;
    flag = /^--([a-z-]+)(?:=(\S+))?\s+/.exec(text)
  ) {
    flags.set(flag[1] ?? '', flag[2] ?? '');
    text = text.slice(flag[0].length);
  }
  return { keyword, flags, text, line };
}
