import type { GraphQLSchema } from 'graphql';
import type { Registry } from '../model/model.ts';
import type { LoadCatalog } from './catalog.ts';
import type { Runtime } from './runtime.ts';

/** What the product gives the engine: `schema/index.ts`. */
export interface Product {
  registry: Registry;
  schema: GraphQLSchema;
  /** The schema of a workspace that has this registry: with the models and fields it has added. */
  schemaOf(registry: Registry): GraphQLSchema;
  loadCatalog: LoadCatalog;
  /** Gives every workspace what models that are new in the code start with. */
  equip(runtime: Runtime, models: string[]): Promise<void>;
}
