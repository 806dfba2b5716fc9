import type { Field } from '../../../src/engine/model/field.ts';
import type { Registry } from '../../../src/engine/model/model.ts';

// A plan lists a registry's GraphQL types by name. Fields are functions of the current registry, so one plan serves the
// built-in schema and every customized workspace.

export interface ArgumentDef {
  name: string;
  /** In SDL notation, such as `[ID!]!`. */
  type: string;
  about: string;
  default?: unknown;
}

/** Determines the field's resolver. */
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

/** `links`: inputs link existing records. `lines`: inputs edit child records that belong only to their parent. */
type ListKind = 'links' | 'lines';

export interface FieldDef {
  name: string;
  type: string;
  about: string;
  args?: ArgumentDef[];
  /** For output fields. Defaults to `plain`, which reads a property of the parent. */
  role?: FieldRole;
  field?: Field;
  /** Number of values that the field adds to a document's cost. Defaults to 1. */
  cost?: number;
  links?: ListKind;
  /** True for an input field that takes an upload id. */
  isUpload?: boolean;
  /** Set for root fields, files and fields of a connection. */
  model?: string;
  default?: unknown;
  /** Internal value of an enum value. */
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
