import type { Field } from '../../../src/engine/model/field.ts';
import type { Registry } from '../../../src/engine/model/model.ts';

// A plan lists a registry's GraphQL types by name. Fields are thunks that receive the current registry, so that one
// plan serves the product and every customized workspace.

export interface ArgumentDef {
  name: string;
  /** In SDL notation, such as `[ID!]!`. */
  type: string;
  about: string;
  default?: unknown;
}

/** Kind of value, which determines the field's resolver. */
export type FieldRole =
  | 'column'
  | 'one'
  | 'list'
  | 'nodes'
  | 'edges'
  | 'node'
  | 'cursor'
  | 'pageInfo'
  | 'totalCount'
  | 'plain'
  | 'readOne'
  | 'readMany'
  | 'readGroups'
  | 'groupDate'
  | 'groupRecords'
  | 'createOne'
  | 'createMany'
  | 'updateOne'
  | 'updateMany'
  | 'deleteOne'
  | 'deleteMany'
  | 'changed'
  | 'live';

/** How inputs change a record list: by linking records, or as child records that belong only to their parent. */
type ListKind = 'links' | 'lines';

export interface FieldDef {
  name: string;
  /** In SDL notation. */
  type: string;
  about: string;
  args?: ArgumentDef[];
  /** For output fields. Defaults to `plain`, a property of the parent. */
  role?: FieldRole;
  field?: Field;
  /** Number of values that the field adds to a document's cost. Defaults to 1. */
  cost?: number;
  links?: ListKind;
  /** For input fields: true if the value is an upload id. */
  isUpload?: boolean;
  /** Model name, for root fields, files and fields within a connection. */
  model?: string;
  default?: unknown;
  /** For enum values: the internal value. */
  value?: unknown;
}

export interface TypeDef {
  kind: 'object' | 'input' | 'enum' | 'union';
  name: string;
  about: string;
  fields(registry: Registry): FieldDef[];
}

export type RootKind = 'query' | 'mutation' | 'subscription';

export const ROOT_KINDS: readonly RootKind[] = ['query', 'mutation', 'subscription'];

type RootFieldMaps = Record<RootKind, Map<string, FieldDef>>;

export interface GraphPlan {
  types: Map<string, TypeDef>;
  roots: RootFieldMaps;
}
