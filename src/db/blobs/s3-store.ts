import { createHash } from 'node:crypto';
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3';
import type { BucketSettings } from '../../blob-settings.ts';
import { perOwner } from '../../cache.ts';
import { keptBefore, keptLength } from './frames.ts';
import { type BlobPlace, DamagedBlob, type Head, MissingBlob } from './host.ts';
import type { BlobStore } from './store.ts';

/** Bytes of one part of a large object; stores take none under 5 MB. */
const PART = 8 * 1024 * 1024;
/** Milliseconds without an answer. */
const TIME = 60_000;

export interface BucketStore extends BlobStore {
  /** Deletes everything of a workspace. */
  removeAll(workspaceId: number): Promise<void>;
}

/** Objects of a bucket, one for each content. */
export const bucketOf = perOwner((settings: BucketSettings): BucketStore => {
  const connect = lazily(settings);
  const at = (place: BlobPlace) => ({
    Bucket: settings.bucket,
    Key: `${settings.prefix}${place.workspaceId}/${place.place}`,
  });
  return {
    async write(_db, place, chunks) {
      const s3 = await connect();
      const { digest, length } = await send(s3, at(place), chunks);
      // Stores have been seen to keep the framing of a checksum within the object, and to answer that all is well.
      const kept = await digestOf(s3, at(place)).catch((error) => {
        throw isMissing(error) ? new DamagedBlob(place.place) : error;
      });
      if (kept.digest !== digest || kept.length !== length) {
        await remove(s3, at(place));
        throw new DamagedBlob(place.place);
      }
      return digest;
    },
    async *read(_db, place, head, first, last) {
      const s3 = await connect();
      yield* whole(bytesOf(s3, at(place), rangeOf(head, first, last)), head, first, last);
    },
    async remove(_db, place) {
      await remove(await connect(), at(place));
    },
    async removeAll(workspaceId) {
      await removeUnder(await connect(), settings.bucket, `${settings.prefix}${workspaceId}/`);
    },
  };
});

/** An object of a bucket as it is, which somebody else has put there. @throws MissingBlob */
export async function* bucketObject(settings: BucketSettings, key: string): AsyncGenerator<Buffer> {
  const connect = objectsOf(settings);
  yield* bytesOf(await connect(), { Bucket: settings.bucket, Key: key });
}

const objectsOf = perOwner(lazily);

/** The SDK is loaded where it is used, and one client serves all. */
function lazily(settings: BucketSettings): () => Promise<Sdk> {
  let sdk: Promise<Sdk> | undefined;
  return () => {
    sdk ??= connected(settings);
    return sdk;
  };
}

async function connected({ region, endpoint, credentials, checksums }: BucketSettings): Promise<Sdk> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    requestHandler: { connectionTimeout: 5_000, requestTimeout: TIME, throwOnRequestTimeout: true },
  });
  return { ...sdk, client };
}

type Sdk = typeof import('@aws-sdk/client-s3') & { client: S3Client };
type Key = Required<Pick<PutObjectCommandInput, 'Bucket' | 'Key'>>;

interface Sent {
  digest: string;
  length: number;
}

async function send(s3: Sdk, key: Key, chunks: AsyncIterable<Buffer>): Promise<Sent> {
  const hash = createHash('sha256');
  const upload = new Upload(s3, key);
  let held: Buffer[] = [];
  let [bytes, length] = [0, 0];
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      length += chunk.length;
      if (bytes >= PART) {
        await upload.part(Buffer.concat(held));
        [held, bytes] = [[], 0];
      }
      held.push(chunk);
      bytes += chunk.length;
    }
    await upload.end(Buffer.concat(held));
  } catch (error) {
    await upload.abort();
    throw error;
  }
  return { digest: hash.digest('hex'), length };
}

/** An object that is sent in parts, or whole when there is one only. */
class Upload {
  private readonly s3: Sdk;
  private readonly key: Key;
  private id: string | undefined;
  private readonly parts: { PartNumber: number; ETag: string | undefined }[] = [];

  constructor(s3: Sdk, key: Key) {
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

async function* bytesOf({ client, GetObjectCommand }: Sdk, key: Key, range?: string): AsyncGenerator<Buffer> {
  const { Body } = await client
    .send(new GetObjectCommand({ ...key, ...(range && { Range: range }) }))
    .catch((error) => {
      throw isMissing(error) ? new MissingBlob(key.Key!) : error;
    });
  yield* Body as AsyncIterable<Buffer>;
}

const isMissing = (error: unknown): boolean =>
  error instanceof MissingBlob || ['NoSuchKey', 'NotFound', 'InvalidRange'].includes((error as Error).name);

async function digestOf(s3: Sdk, key: Key): Promise<Sent> {
  const hash = createHash('sha256');
  let length = 0;
  for await (const piece of bytesOf(s3, key)) {
    hash.update(piece);
    length += piece.length;
  }
  return { digest: hash.digest('hex'), length };
}

/** undefined for an empty object, which has no range. */
function rangeOf(head: Head, first: number, last: number): string | undefined {
  const end = keptBefore(head, last) + keptLength(head, last);
  return end === 0 ? undefined : `bytes=${keptBefore(head, first)}-${end - 1}`;
}

/** Chunks of the pieces in which an object comes. @throws MissingBlob when it ends too early */
async function* whole(
  pieces: AsyncIterable<Buffer>,
  head: Head,
  first: number,
  last: number,
): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let [bytes, no] = [0, first];
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.length;
    for (let length = keptLength(head, no); no < last && bytes >= length; length = keptLength(head, no)) {
      const all = Buffer.concat(held);
      yield all.subarray(0, length);
      held = [all.subarray(length)];
      bytes -= length;
      no++;
    }
  }
  if (no < last || bytes !== keptLength(head, last)) throw new MissingBlob(head.hash);
  yield Buffer.concat(held);
}

async function remove({ client, DeleteObjectCommand }: Sdk, key: Key): Promise<void> {
  await client.send(new DeleteObjectCommand(key));
}

async function removeUnder(s3: Sdk, bucket: string, prefix: string): Promise<void> {
  for (;;) {
    const listed = await s3.client.send(new s3.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
    const keys = (listed.Contents ?? []).flatMap(({ Key }) => Key ?? []);
    if (keys.length === 0) return;
    for (const Key of keys) await remove(s3, { Bucket: bucket, Key });
  }
}
