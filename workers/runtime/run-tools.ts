import type { ObjectStore } from '../../src/storage/object-store.ts';
import { type JobDirectory, makeJobDirectory } from '../tools/job-directory.ts';
import type { RunTools } from './context.ts';

export interface RunToolsDeps {
  readonly storage: ObjectStore;
  /** Where the directories of runs are made. */
  readonly temporaryDirectory: string;
}

/** Makes the tools of one run after another. A run that asks for no directory costs none. */
export function createToolsFor({ storage, temporaryDirectory }: RunToolsDeps): () => RunTools {
  return () => {
    let directory: Promise<JobDirectory> | undefined;
    return {
      tools: {
        storage,
        tempDir: async () => {
          directory ??= makeJobDirectory(temporaryDirectory);
          return (await directory).path;
        },
      },
      release: () =>
        directory?.then(
          (made) => made.remove(),
          () => undefined,
        ),
    };
  };
}
