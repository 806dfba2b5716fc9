import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

export interface S3Standin {
  /** Value for BLOB_URL, with only the endpoint and the region. */
  url: string;
  objects(): string[];
  bytesOf(object: string): Buffer;
  put(object: string, bytes: Buffer): void;
  remove(object: string): void;
  close(): Promise<void>;
}

const OBJECT_SUFFIX = '._S3rver_object';

/** Starts s3rver, which stores objects as files and accepts any signature of the key `S3RVER`. */
export async function startS3(): Promise<S3Standin> {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-s3-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'contents', configs: [] }],
  });
  const { port } = await server.run();
  const bucket = join(directory, 'contents');
  const getPath = (object: string) => join(bucket, `${object}${OBJECT_SUFFIX}`);
  return {
    url: `s3://S3RVER:S3RVER@contents/some/prefix?region=eu-west-1&endpoint=http://127.0.0.1:${port}`,
    objects: () =>
      (readdirSync(bucket, { recursive: true }) as string[])
        .filter((name) => name.endsWith(OBJECT_SUFFIX) && statSync(join(bucket, name)).isFile())
        .map((name) => name.slice(0, -OBJECT_SUFFIX.length))
        .sort(),
    bytesOf: (object) => readFileSync(getPath(object)),
    put: (object, bytes) => writeFileSync(getPath(object), bytes),
    remove: (object) => rmSync(getPath(object)),
    close: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
