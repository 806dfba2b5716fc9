import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../db/pool.ts';
import type { Catalogs } from './catalog.ts';
import type { Identity } from './identity.ts';
import type { Jobs } from './jobs.ts';
import type { Metrics } from './metrics.ts';
import type { Registry } from './model.ts';

/** What one process holds for its whole life. */
export interface Runtime {
  config: Config;
  log: Logger;
  db: Database;
  registry: Registry;
  schema: GraphQLSchema;
  /** The schema of a workspace by its registry; `schema` where it has added nothing. */
  schemaOf(registry: Registry): GraphQLSchema;
  catalogs: Catalogs;
  identity: Identity;
  jobs: Jobs;
  metrics: Metrics;
  /** Tells whoever delivers email, in this process or another, that a row waits. */
  wakeDelivery(): void;
}
