import type { Db } from '../db.ts';
import type { BlobHead, BlobLocation } from './host.ts';

/** Where chunks are kept, as they are. */
export interface BlobStore {
  /** Keeps all chunks of a content. @returns their digest, of what is known to be kept */
  write(db: Db, place: BlobLocation, chunks: AsyncIterable<Buffer>): Promise<string>;
  /** Chunks `first` to `last`, each whole. @throws MissingBlob */
  read(db: Db, place: BlobLocation, head: BlobHead, first: number, last: number): AsyncIterable<Buffer>;
  /** Deletes what there is of a content. */
  remove(db: Db, place: BlobLocation): Promise<void>;
}
