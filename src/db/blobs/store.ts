import type { Db } from '../db.ts';
import type { BlobHead, BlobLocation } from './host.ts';

/** Stores the chunks of blobs unchanged. */
export interface BlobStore {
  /**
   * Stores all chunks of a blob.
   * @returns the digest of the chunks, once they are known to be stored
   */
  write(db: Db, location: BlobLocation, chunks: AsyncIterable<Buffer>): Promise<string>;
  /**
   * Reads the chunks `first` to `last`, each whole.
   * @throws MissingBlobError
   */
  read(db: Db, location: BlobLocation, head: BlobHead, first: number, last: number): AsyncIterable<Buffer>;
  /** Deletes all chunks of a blob, including partial ones. */
  remove(db: Db, location: BlobLocation): Promise<void>;
}
