import { z } from 'zod';

/** Where contents are kept beside PostgreSQL: a bucket of a store that speaks S3. */
export interface BucketSettings {
  bucket: string;
  /** What names of objects begin with: empty, or ends with a slash. */
  prefix: string;
  region: string;
  /** Origin of a store that is not Amazon's. */
  endpoint: string | null;
  /** null: where the AWS SDK finds them. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Checksums of the SDK in addition to ours: many stores keep them as part of the content. */
  checksums: 'WHEN_REQUIRED' | 'WHEN_SUPPORTED';
  /** False: what is there is read, and new contents go to PostgreSQL. */
  writes: boolean;
}

export interface BlobSettings {
  /** null: PostgreSQL alone. */
  bucket: BucketSettings | null;
  /** Whether new contents are sealed. */
  seals: boolean;
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

/** The address of a bucket. */
export const bucketUrlSetting = () =>
  z
    .string()
    .refine(isBlobUrl, 'must be s3://bucket/prefix with the options endpoint, region, checksums and write');

/** What they must be; as in `config.ts`. */
export const blobEnvironment = {
  BLOB_URL: bucketUrlSetting().optional(),
  BLOB_SEAL: z.enum(['on', 'off'], { error: 'must be one of on, off' }).default('on'),
};

/** Pure. */
export function parseBlobSettings(
  given: { BLOB_URL?: string; BLOB_SEAL: 'on' | 'off' },
  region: string | undefined,
): BlobSettings {
  return {
    bucket: given.BLOB_URL ? parseBucketSettings(given.BLOB_URL, region) : null,
    seals: given.BLOB_SEAL === 'on',
  };
}

/** Where a bucket is. @param text as `BLOB_URL` */
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
