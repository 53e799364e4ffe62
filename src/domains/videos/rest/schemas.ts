import { nullable, Type } from '../../../rest/schema.ts';
import { JobErrorSchema } from '../../../rest/schemas/job.ts';
import { VIDEO_STATUSES } from '../video-status.ts';

export const VideoSchema = Type.Object(
  {
    id: Type.Uuid({ description: 'Its id.' }),
    title: Type.String({ description: 'Its title.' }),
    status: Type.Words(VIDEO_STATUSES, { description: 'Current status.' }),
    error: nullable(JobErrorSchema, { description: 'Why a stage failed, where one did.' }),
    content_type: Type.NullableString({ description: 'Type of the original.' }),
    size_bytes: Type.NullableInteger({ description: 'Size of the original.' }),
    duration_ms: Type.NullableInteger({ description: 'Its length.' }),
    width_px: Type.NullableInteger({ description: 'Width as displayed.' }),
    height_px: Type.NullableInteger({ description: 'Height as displayed.' }),
    fps: Type.NullableNumber({ description: 'Frames per second.' }),
    original_url: Type.NullableString({ description: 'Signed URL of the original.' }),
    playlist_url: Type.NullableString({ description: 'Signed URL of the stream (HLS).' }),
    poster_url: Type.NullableString({ description: 'Signed URL of the poster.' }),
    urls_expire_at: Type.Time({ description: 'Until when the URLs are good.' }),
    created_by: Type.NullableString({ description: 'Who made it.' }),
    created_at: Type.Time({ description: 'When it was made.' }),
    updated_at: Type.Time({ description: 'When it last changed.' }),
    version: Type.String({ description: 'Grows with each change; the same as the ETag.' }),
  },
  { title: 'Video', description: 'A video.', additionalProperties: false },
);

export const UploadSchema = Type.Object(
  {
    method: Type.String({ description: '`PUT`.' }),
    url: Type.String({ description: 'Put the file’s bytes here; it needs no token.' }),
    headers: Type.Map({ description: 'Headers to send.' }),
    expires_at: Type.Time({ description: 'Until when the URL is good.' }),
    max_size_bytes: Type.Integer({ description: 'A larger file is refused.' }),
    resumable_url: Type.String({ description: 'The other way: in pieces, by the tus protocol.' }),
  },
  { title: 'VideoUpload', additionalProperties: false },
);
