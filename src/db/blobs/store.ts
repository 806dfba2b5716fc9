import type { Db } from '../db.ts';
import type { BlobHead, BlobLocation } from './host.ts';

export interface BlobStore {
  /**
   * Stores all chunks of a blob.
   * @returns the SHA-256 digest of the chunks, once they are stored
   */
  write(db: Db, location: BlobLocation, chunks: AsyncIterable<Buffer>): Promise<string>;
  /**
   * Yields the chunks `first` to `last` (inclusive), one at a time.
   * @throws MissingBlobError
   */
  read(db: Db, location: BlobLocation, head: BlobHead, first: number, last: number): AsyncIterable<Buffer>;
  /** Deletes all chunks of a blob, even after an interrupted write. */
  remove(db: Db, location: BlobLocation): Promise<void>;
}
