import type { Field } from '../../../src/engine/model/field.ts';
import type { Registry } from '../../../src/engine/model/model.ts';

// A plan says which GraphQL types a registry has, by name. Fields come by thunk and ask the registry at hand, so that
// one plan serves the product and every workspace with models and fields of its own.

export interface ArgumentDef {
  name: string;
  /** As the SDL writes it: `[ID!]!`. */
  type: string;
  about: string;
  default?: unknown;
}

/** What a field gives, and so what resolves it. */
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

/** How an input changes a list of records: through links, or as lines that belong to their parent alone. */
type ListKind = 'links' | 'lines';

export interface FieldDef {
  name: string;
  /** As the SDL writes it. */
  type: string;
  about: string;
  args?: ArgumentDef[];
  /** Of an output field; default `plain`, a property of its parent. */
  role?: FieldRole;
  /** The model's field behind it. */
  field?: Field;
  /** As how many values it counts in what a document costs; 1 when absent. */
  cost?: number;
  /** Of an input field of a relation. */
  links?: ListKind;
  /** Of an input field: it names an upload with the value. */
  isUpload?: boolean;
  /** Of a root field, of a file and of what stands below a connection: the model's name. */
  model?: string;
  /** Of an input field. */
  default?: unknown;
  /** Of an enum: the value it stands for. */
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

/** Root fields of a kind, by name. */
type RootFieldMaps = Record<RootKind, Map<string, FieldDef>>;

export interface GraphPlan {
  types: Map<string, TypeDef>;
  roots: RootFieldMaps;
}
