import type { Config } from '../../config.ts';
import type { Db } from '../db.ts';

/** A request context, or the context of a job for one workspace. */
export interface BlobHost {
  db: Db;
  workspace: { id: number };
  runtime: { config: Pick<Config, 'blobs' | 'secretKey'> };
}

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

/** Thrown if a blob, or a part of one, is missing from its store. */
export class MissingBlobError extends Error {
  constructor(name: string) {
    super(`content ${name} is missing`);
  }
}

export class DamagedBlobError extends Error {
  constructor(name: string) {
    super(`content ${name} is not what was put`);
  }
}
