import { createHash } from 'node:crypto';
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3';
import { memoizePerObject } from '../../cache.ts';
import type { BucketSettings } from '../../settings/blob-settings.ts';
import { getStoredLength, getStoredOffset } from './frames.ts';
import { type BlobHead, type BlobLocation, DamagedBlobError, MissingBlobError } from './host.ts';
import type { BlobStore } from './store.ts';

/** Size of a part in a multipart upload. S3 requires at least 5 MB. */
const PART_BYTES = 8 * 1024 * 1024;
const RESPONSE_TIMEOUT_MS = 60_000;

interface BucketStore extends BlobStore {
  removeAll(workspaceId: number): Promise<void>;
}

export const getBucketStore = memoizePerObject((settings: BucketSettings): BucketStore => {
  const connect = createSdkLoader(settings);
  const toObjectParams = (location: BlobLocation) => ({
    Bucket: settings.bucket,
    Key: `${settings.prefix}${location.workspaceId}/${location.place}`,
  });
  return {
    async write(_db, location, chunks) {
      const s3 = await connect();
      const { digest, length } = await uploadObject(s3, toObjectParams(location), chunks);
      // Some providers store the checksum framing as part of the object and still report success.
      const storedDigest = await digestObject(s3, toObjectParams(location)).catch((error) => {
        throw isMissingObjectError(error) ? new DamagedBlobError(location.place) : error;
      });
      if (storedDigest.digest !== digest || storedDigest.length !== length) {
        await deleteObject(s3, toObjectParams(location));
        throw new DamagedBlobError(location.place);
      }
      return digest;
    },
    async *read(_db, location, head, first, last) {
      const s3 = await connect();
      yield* assembleChunks(
        downloadObject(s3, toObjectParams(location), buildRange(head, first, last)),
        head,
        first,
        last,
      );
    },
    async remove(_db, location) {
      await deleteObject(await connect(), toObjectParams(location));
    },
    async removeAll(workspaceId) {
      await deletePrefix(await connect(), settings.bucket, `${settings.prefix}${workspaceId}/`);
    },
  };
});

/**
 * Reads an object that another program uploaded to the bucket.
 * @throws MissingBlobError
 */
export async function* readBucketObject(settings: BucketSettings, key: string): AsyncGenerator<Buffer> {
  const connect = getSdk(settings);
  yield* downloadObject(await connect(), { Bucket: settings.bucket, Key: key });
}

const getSdk = memoizePerObject(createSdkLoader);

function createSdkLoader(settings: BucketSettings): () => Promise<Sdk> {
  let sdk: Promise<Sdk> | undefined;
  return () => {
    sdk ??= connectSdk(settings);
    return sdk;
  };
}

async function connectSdk({ region, endpoint, credentials, checksums }: BucketSettings): Promise<Sdk> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: RESPONSE_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  return { ...sdk, client };
}

type Sdk = typeof import('@aws-sdk/client-s3') & { client: S3Client };
type ObjectKey = Required<Pick<PutObjectCommandInput, 'Bucket' | 'Key'>>;

interface UploadResult {
  digest: string;
  length: number;
}

async function uploadObject(s3: Sdk, key: ObjectKey, chunks: AsyncIterable<Buffer>): Promise<UploadResult> {
  const hash = createHash('sha256');
  const upload = new ObjectUpload(s3, key);
  let buffers: Buffer[] = [];
  let [bytes, length] = [0, 0];
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      length += chunk.length;
      if (bytes >= PART_BYTES) {
        await upload.part(Buffer.concat(buffers));
        [buffers, bytes] = [[], 0];
      }
      buffers.push(chunk);
      bytes += chunk.length;
    }
    await upload.end(Buffer.concat(buffers));
  } catch (error) {
    await upload.abort();
    throw error;
  }
  return { digest: hash.digest('hex'), length };
}

/** Uploads an object in parts, or in one request if it fits in one part. */
class ObjectUpload {
  private readonly s3: Sdk;
  private readonly key: ObjectKey;
  private id: string | undefined;
  private readonly parts: { PartNumber: number; ETag: string | undefined }[] = [];

  constructor(s3: Sdk, key: ObjectKey) {
    this.s3 = s3;
    this.key = key;
  }

  async part(bytes: Buffer): Promise<void> {
    const { client, CreateMultipartUploadCommand, UploadPartCommand } = this.s3;
    this.id ??= (await client.send(new CreateMultipartUploadCommand(this.key))).UploadId;
    const PartNumber = this.parts.length + 1;
    const { ETag } = await client.send(
      new UploadPartCommand({ ...this.key, UploadId: this.id, PartNumber, Body: bytes }),
    );
    this.parts.push({ PartNumber, ETag });
  }

  async end(bytes: Buffer): Promise<void> {
    const { client, CompleteMultipartUploadCommand, PutObjectCommand } = this.s3;
    if (this.id === undefined) {
      await client.send(new PutObjectCommand({ ...this.key, Body: bytes }));
      return;
    }
    await this.part(bytes);
    await client.send(
      new CompleteMultipartUploadCommand({
        ...this.key,
        UploadId: this.id,
        MultipartUpload: { Parts: this.parts },
      }),
    );
  }

  async abort(): Promise<void> {
    const { client, AbortMultipartUploadCommand } = this.s3;
    if (this.id === undefined) return;
    await client
      .send(new AbortMultipartUploadCommand({ ...this.key, UploadId: this.id }))
      .catch(() => undefined);
  }
}

async function* downloadObject(
  { client, GetObjectCommand }: Sdk,
  key: ObjectKey,
  range?: string,
): AsyncGenerator<Buffer> {
  const { Body } = await client
    .send(new GetObjectCommand({ ...key, ...(range && { Range: range }) }))
    .catch((error) => {
      throw isMissingObjectError(error) ? new MissingBlobError(key.Key!) : error;
    });
  yield* Body as AsyncIterable<Buffer>;
}

const isMissingObjectError = (error: unknown): boolean =>
  error instanceof MissingBlobError ||
  ['NoSuchKey', 'NotFound', 'InvalidRange'].includes((error as Error).name);

async function digestObject(s3: Sdk, key: ObjectKey): Promise<UploadResult> {
  const hash = createHash('sha256');
  let length = 0;
  for await (const chunk of downloadObject(s3, key)) {
    hash.update(chunk);
    length += chunk.length;
  }
  return { digest: hash.digest('hex'), length };
}

/** Undefined for an empty object, which has no valid range. */
function buildRange(head: BlobHead, first: number, last: number): string | undefined {
  const end = getStoredOffset(head, last) + getStoredLength(head, last);
  return end === 0 ? undefined : `bytes=${getStoredOffset(head, first)}-${end - 1}`;
}

/**
 * Splits a downloaded object into chunks.
 * @throws MissingBlobError if the object is too short
 */
async function* assembleChunks(
  chunks: AsyncIterable<Buffer>,
  head: BlobHead,
  first: number,
  last: number,
): AsyncGenerator<Buffer> {
  let buffers: Buffer[] = [];
  let [bytes, no] = [0, first];
  for await (const chunk of chunks) {
    buffers.push(chunk);
    bytes += chunk.length;
    for (
      let length = getStoredLength(head, no);
      no < last && bytes >= length;
      length = getStoredLength(head, no)
    ) {
      const all = Buffer.concat(buffers);
      yield all.subarray(0, length);
      buffers = [all.subarray(length)];
      bytes -= length;
      no++;
    }
  }
  if (no < last || bytes !== getStoredLength(head, last)) throw new MissingBlobError(head.hash);
  yield Buffer.concat(buffers);
}

async function deleteObject({ client, DeleteObjectCommand }: Sdk, key: ObjectKey): Promise<void> {
  await client.send(new DeleteObjectCommand(key));
}

async function deletePrefix(s3: Sdk, bucket: string, prefix: string): Promise<void> {
  for (;;) {
    const output = await s3.client.send(new s3.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
    const keys = (output.Contents ?? []).flatMap(({ Key }) => Key ?? []);
    if (keys.length === 0) return;
    for (const Key of keys) await deleteObject(s3, { Bucket: bucket, Key });
  }
}
