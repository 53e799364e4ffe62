import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { encodeGlobalId, uuidOf } from '../../../graphql/ids.ts';
import { readBack } from '../../../graphql/mutations/read-back.ts';
import { write } from '../../../graphql/mutations/write.ts';
import {
  Busy,
  DefinitionInactive,
  Forbidden,
  InvalidArgument,
  NotFound,
} from '../../../graphql/types/errors.ts';
import { deleteLink } from '../use-cases/delete-link.ts';
import { type SubmitLinkResult, submitLink } from '../use-cases/submit-link.ts';
import { linkLoader } from './loaders.ts';
import { LinkType } from './refs.ts';

const SubmitLinkInput = builder.inputType('SubmitLinkInput', {
  description: 'A link to read.',
  fields: (t) => ({
    url: t.string({
      required: true,
      description: 'An `http` or `https` URL of a public address, at most 4096 characters.',
    }),
    sourceRef: t.string({
      description:
        'An id of your own, at most 1024 characters: the same one gives the same link, however often it is submitted.',
    }),
  }),
});

const SubmitLinkPayload = builder.objectRef<SubmitLinkResult>('SubmitLinkPayload').implement({
  description: 'The link is there, and its first job is in the queue.',
  fields: (t) => ({
    link: t.field({
      type: LinkType,
      nullable: true,
      description: 'The link. Watch it with `linkChanged`.',
      resolve: ({ linkId }, _args, context) =>
        readBack(context, () => loaderOf(context, linkLoader).load(linkId), `Link ${linkId}`),
    }),
    isNew: t.exposeBoolean('created', { description: 'False when there was a link with that `sourceRef`.' }),
  }),
});

builder.mutationField('submitLink', (t) =>
  t.field({
    type: SubmitLinkPayload,
    description: 'Submits a link: its row and the job that reads it are there together.',
    args: { input: t.arg({ type: SubmitLinkInput, required: true, description: 'The link.' }) },
    errors: {
      union: { name: 'SubmitLinkResult', description: 'The link, or why there is none.' },
      types: [Forbidden, InvalidArgument, DefinitionInactive],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => submitLink(context.deps.jobs, context.actor, input)),
  }),
);

const DeleteLinkInput = builder.inputType('DeleteLinkInput', {
  description: 'Which link to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Its global id, or its UUID.' }) }),
});

const DeleteLinkPayload = builder.objectRef<{ readonly linkId: string }>('DeleteLinkPayload').implement({
  description: 'The link is deleted.',
  fields: (t) => ({
    deletedLinkId: t.id({
      description: 'The global id that it had: drop it from caches.',
      resolve: ({ linkId }) => encodeGlobalId('Link', linkId),
    }),
  }),
});

builder.mutationField('deleteLink', (t) =>
  t.field({
    type: DeleteLinkPayload,
    description:
      'Deletes a link with its text and vectors, and cancels its jobs. Members may delete their own.',
    args: { input: t.arg({ type: DeleteLinkInput, required: true, description: 'The link.' }) },
    errors: {
      union: { name: 'DeleteLinkResult', description: 'The id of what was deleted, or why it stays.' },
      types: [NotFound, Forbidden, InvalidArgument, Busy],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => {
        const linkId = uuidOf('Link', input.id, 'id');
        await deleteLink(context.deps.jobs, context.actor, linkId);
        return { linkId };
      }),
  }),
);
