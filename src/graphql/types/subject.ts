import type { Subject } from '../../core/job.ts';
import type { Access } from '../access/access-types.ts';
import { builder } from '../builder.ts';
import { uuidOf } from '../ids.ts';

export const SubjectType = builder.objectRef<Subject>('JobSubject').implement({
  description: 'What a job is about: `video` and its UUID, or any type and key of your own.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Kind of thing: `video`.' }),
    key: t.exposeString('id', {
      description: 'Its key within that type: the UUID of a video, or a key of your own.',
    }),
  }),
});

export const SubjectInput = builder.inputType('JobSubjectInput', {
  description: 'What a job is about.',
  fields: (t) => ({
    type: t.string({ required: true, description: 'Kind of thing: `video`, or one of your own.' }),
    key: t.string({
      required: true,
      description: 'Its key: 1 to 255 characters. Of a video its global id or its UUID.',
    }),
  }),
});

/**
 * The subject as it is stored: ours by UUID, others as they are given.
 * @param field where it came from, for the error
 * @throws DomainError `InvalidArgument` for what is no id of a type that a domain keeps its subjects by
 */
export function subjectOf(
  { subjectTypes }: Pick<Access, 'subjectTypes'>,
  input: typeof SubjectInput.$inferInput | null | undefined,
  field = 'subject',
): Subject | null {
  if (input == null) return null;
  const { type, key } = input;
  const nodeType = Object.hasOwn(subjectTypes, type) ? subjectTypes[type] : undefined;
  return { type, id: nodeType === undefined ? key : uuidOf(nodeType, key, `${field}.key`) };
}
