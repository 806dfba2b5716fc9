import { z } from 'zod';

export interface BucketSettings {
  bucket: string;
  /** Prefix of object names: empty, or ends with a slash. */
  prefix: string;
  region: string;
  /** Origin of an S3-compatible provider. Null for Amazon S3. */
  endpoint: string | null;
  /** Null for the AWS SDK's default credential chain. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Policy for the SDK's checksums. Many providers store them as part of the content. */
  checksums: 'WHEN_REQUIRED' | 'WHEN_SUPPORTED';
  /** If false, existing blobs are read from the bucket and new blobs are stored in PostgreSQL. */
  writes: boolean;
}

const BLOB_URL_OPTIONS: Record<string, RegExp> = {
  endpoint: /^https?:\/\/[^/?#]+\/?$/,
  region: /^[a-z0-9-]+$/,
  checksums: /^(required|supported)$/,
  write: /^(on|off)$/,
};

function isBlobUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, searchParams } = new URL(text);
  const isBucket = protocol === 's3:' && /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(hostname);
  return isBucket && [...searchParams].every(([name, value]) => BLOB_URL_OPTIONS[name]?.test(value));
}

export const buildBucketUrlSchema = () =>
  z
    .string()
    .refine(isBlobUrl, 'must be s3://bucket/prefix with the options endpoint, region, checksums and write');

export const blobEnvironment = {
  BLOB_URL: buildBucketUrlSchema().optional(),
  BLOB_ENCRYPTION: z.enum(['on', 'off'], { error: 'must be one of on, off' }).default('on'),
};

export function parseBlobSettings(
  environment: { BLOB_URL?: string; BLOB_ENCRYPTION: 'on' | 'off' },
  region: string | undefined,
) {
  return {
    /** Null if blobs are stored in PostgreSQL only. */
    bucket: environment.BLOB_URL ? parseBucketSettings(environment.BLOB_URL, region) : null,
    encrypts: environment.BLOB_ENCRYPTION === 'on',
  };
}

/** @param text URL in the format of `BLOB_URL` */
export function parseBucketSettings(text: string, region = 'us-east-1'): BucketSettings {
  const { hostname, pathname, searchParams, username, password } = new URL(text);
  const path = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '');
  const [accessKeyId, secretAccessKey] = [username, password].map(decodeURIComponent) as [string, string];
  const endpoint = searchParams.get('endpoint');
  return {
    bucket: hostname,
    prefix: path === '' ? '' : `${path}/`,
    region: searchParams.get('region') ?? region,
    endpoint: endpoint && new URL(endpoint).origin,
    credentials: accessKeyId ? { accessKeyId, secretAccessKey } : null,
    checksums: searchParams.get('checksums') === 'supported' ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED',
    writes: searchParams.get('write') !== 'off',
  };
}
