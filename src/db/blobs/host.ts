import type { Config } from '../../config.ts';
import type { Db } from '../db.ts';

/** Context for storing and reading blobs: a request context, or the context of a job for one workspace. */
export interface BlobHost {
  db: Db;
  workspace: { id: number };
  runtime: { config: Pick<Config, 'blobs' | 'secretKey'> };
}

/** Location of a stored blob. */
export interface BlobLocation {
  workspaceId: number;
  /** Name of the blob in both stores. */
  place: string;
}

export interface BlobHead {
  hash: string;
  size: number;
  sealed: boolean;
  store: BlobStoreName;
  place: string;
}

export type BlobStoreName = 'pg' | 's3';

/** The blob or a part of it is missing from the store. */
export class MissingBlobError extends Error {
  constructor(name: string) {
    super(`content ${name} is missing`);
  }
}

/** The stored data does not match the blob that was put. */
export class DamagedBlobError extends Error {
  constructor(name: string) {
    super(`content ${name} is not what was put`);
  }
}
