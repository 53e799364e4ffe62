import { expect } from 'vitest';
import type { CrossTenantTools } from './cross-tenant-access.ts';

/** The cases about writing videos: making them, completing their uploads, changing and deleting them. */
export function videoCases(tools: () => CrossTenantTools): Record<string, () => Promise<unknown>> {
  /** A mutation of a video that is another tenant's. */
  const refused = async (name: string, args: (id: string) => string): Promise<void> => {
    const { other, sameAsMissing, unchanged } = tools();
    await sameAsMissing(`Mutation.${name}`, args, other.videoId);
    await unchanged();
  };
  const made = async (name: string, args: string): Promise<void> => {
    const { ask, expectNothingOf } = tools();
    const answer = await ask(`Mutation.${name}`, args);
    expect(answer.errors).toEqual([]);
    expectNothingOf(answer);
  };
  return {
    'Mutation.createVideo': () => made('createVideo', '(input: { title: "mine" })'),
    'Mutation.importVideo': () => made('importVideo', '(input: { url: "https://example.com/a.mp4" })'),
    'Mutation.completeVideoUpload': () =>
      refused('completeVideoUpload', (id) => `(input: { videoId: "${id}" })`),
    // Ours is the tenant that takes what has no video; another tenant's original is as if it were not there.
    'Mutation.registerVideo': () =>
      refused('registerVideo', (id) => `(input: { key: "videos/original/${id}/master.mp4" })`),
    'Mutation.updateVideo': () => refused('updateVideo', (id) => `(input: { id: "${id}", title: "x" })`),
    'Mutation.deleteVideo': () => refused('deleteVideo', (id) => `(input: { id: "${id}" })`),
  };
}
