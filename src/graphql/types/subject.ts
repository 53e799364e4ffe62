import type { Subject } from '../../core/job.ts';
import { builder } from '../builder.ts';
import { uuidOf } from '../ids.ts';

export const SubjectType = builder.objectRef<Subject>('JobSubject').implement({
  description: 'What a job is about: `video` and its UUID, or any type and id of your own.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Kind of thing: `video`.' }),
    id: t.exposeID('id', { description: 'Its key: the UUID of a video, or an id of your own.' }),
  }),
});

export const SubjectInput = builder.inputType('JobSubjectInput', {
  description: 'What a job is about.',
  fields: (t) => ({
    type: t.string({ required: true, description: 'Kind of thing: `video`, or one of your own.' }),
    id: t.id({ required: true, description: 'Its key. For a video its global id or its UUID.' }),
  }),
});

/**
 * The subject as it is stored: ours by UUID, others as they are given.
 * @param field where it came from, for the error
 * @throws DomainError `InvalidArgument` for what is no id of a video
 */
export function subjectOf(input: Subject | null | undefined, field = 'subject'): Subject | null {
  if (input == null) return null;
  return input.type === 'video' ? { type: 'video', id: uuidOf('Video', input.id, `${field}.id`) } : input;
}
