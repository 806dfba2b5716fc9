import type { Config } from '../../config.ts';
import type { Db } from '../db.ts';

/** Where contents are put and read: a ctx, or what a job has of one workspace. */
export interface BlobHost {
  db: Db;
  workspace: { id: number };
  runtime: { config: Pick<Config, 'blobs' | 'secretKey'> };
}

/** Where a content is. */
export interface BlobLocation {
  workspaceId: number;
  /** Its name in both stores. */
  place: string;
}

/** What is known of a content beside its bytes. */
export interface BlobHead {
  hash: string;
  size: number;
  sealed: boolean;
  store: BlobStoreName;
  place: string;
}

export type BlobStoreName = 'pg' | 's3';

/** The store has no such content, or a part of it is missing. */
export class MissingBlobError extends Error {
  constructor(what: string) {
    super(`content ${what} is missing`);
  }
}

/** What the store has is not what was put. */
export class DamagedBlobError extends Error {
  constructor(what: string) {
    super(`content ${what} is not what was put`);
  }
}
