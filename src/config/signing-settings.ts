import { integer, optionalText } from './settings.ts';

/** Signed URLs of files. */
export const SIGNING_SETTINGS = {
  signingSecret: optionalText(
    'MILLRACE_SIGNING_SECRET',
    'Key of signed file URLs, at least 32 characters; the embedded set-up makes its own.',
    /^.{32,}$/,
    'at least 32 characters',
    true,
  ),
  signedUrlSeconds: integer(
    'MILLRACE_SIGNED_URL_SECONDS',
    'How long a signed file URL is good for at most, and half as long at least; what is played by it goes on to its end. See storage.md.',
    3600,
    30,
    604_800,
  ),
};
