import type { Config } from '../config/config.ts';

type PolicyConfig = Pick<Config, 'publicUrl' | 'storage' | 's3Endpoint' | 's3PublicEndpoint' | 'oidcIssuer'>;

/**
 * The console's content security policy: scripts and styles of this server alone, nothing inline, nothing
 * evaluated. Pictures, videos and uploads may be of the address that signed URLs name, and of the bucket that
 * they lead to; calls may go to the identity provider.
 */
export function consolePolicy(config: PolicyConfig): string {
  const files = ["'self'", ...ownOrigins(config), ...bucketOrigins(config)].join(' ');
  const calls = [files, ...originOf(config.oidcIssuer)].join(' ');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${files} data: blob:`,
    `media-src ${files} blob:`,
    `connect-src ${calls}`,
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Without a public URL a server names itself by the address that it listens on, and a page may be open under
 * another name of it.
 */
function ownOrigins({ publicUrl }: PolicyConfig): readonly string[] {
  return publicUrl === null ? ['http://127.0.0.1:*', 'http://localhost:*'] : originOf(publicUrl);
}

function bucketOrigins({ storage, s3Endpoint, s3PublicEndpoint }: PolicyConfig): readonly string[] {
  if (storage !== 's3') return [];
  const origins = originOf(s3PublicEndpoint ?? s3Endpoint ?? 'https://amazonaws.com');
  // A bucket's name may stand before the host.
  return origins.flatMap((origin) => [origin, origin.replace('://', '://*.')]);
}

function originOf(url: string | null): readonly string[] {
  return url !== null && URL.canParse(url) ? [new URL(url).origin] : [];
}
