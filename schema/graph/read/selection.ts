import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import { memoizePerObject } from '../../../src/cache.ts';
import { canAccessField, canAccessModel } from '../../../src/engine/access/access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { type Field, isList } from '../../../src/engine/model/field.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import type { SelectList } from '../../../src/engine/read/select-list.ts';
import type { Fragments } from '../../../src/engine/verb/fragments.ts';
import type { FieldDef } from '../plan/definition.ts';
import { outputFields } from '../plan/field-map.ts';
import { fieldName, relationName, typeName } from '../plan/names.ts';

/** What a document wants of a model's records: its fields, and of the records that many2ones lead to. */
export interface Selection {
  /** The same for the same selection of the same model. */
  key: string;
  model: Model;
  fields: Field[];
  nested: { relation: Field; selection: Selection }[];
}

/** What is selected by name, each with its own sets. */
export type NamedSets = Map<string, SelectionSetNode[]>;

/**
 * By registry, for workspaces share documents, and by node: documents are kept and reused, so most requests find
 * theirs. A node belongs to one document and in it to one parent type, so the answer does not change.
 */
const knownBy = memoizePerObject((_registry: Registry) => new WeakMap<FieldNode, Selection>());

/** What the field being resolved wants of the records it gives: `path` leads to them, such as `edges.node`. */
export function selected(
  info: GraphQLResolveInfo,
  registry: Registry,
  model: Model,
  paths: readonly string[][] = [[]],
): Selection {
  const [first, ...others] = info.fieldNodes;
  const known = knownBy(registry);
  const found = others.length === 0 ? known.get(first!) : undefined;
  if (found) return found;
  const sets = info.fieldNodes.flatMap((node) => node.selectionSet ?? []);
  const inner = paths.flatMap((path) => setsAt(sets, path, info.fragments));
  const selection = selectionOf(wantedOf(inner, info.fragments), info.fragments, registry, model);
  if (others.length === 0) known.set(first!, selection);
  return selection;
}

/** The same where one field may give records of several models. */
export function selectedOf(
  { fieldNodes, fragments }: GraphQLResolveInfo,
  registry: Registry,
  model: Model,
  path: string[],
): Selection {
  const sets = fieldNodes.flatMap((node) => node.selectionSet ?? []);
  return selectionOf(wantedOf(setsAt(sets, path, fragments), fragments), fragments, registry, model);
}

/** Where the records of a connection stand. */
export const IN_CONNECTION: readonly string[][] = [['nodes'], ['edges', 'node']];

/** The sets at the end of `path`. */
export function setsAt(sets: SelectionSetNode[], path: string[], fragments: Fragments): SelectionSetNode[] {
  return path.reduce((at, name) => wantedOf(at, fragments).get(name) ?? [], sets);
}

/** The names that the field being resolved selects. */
export const selectedNames = (info: GraphQLResolveInfo): NamedSets =>
  wantedOf(
    info.fieldNodes.flatMap((node) => node.selectionSet ?? []),
    info.fragments,
  );

export function wantedOf(sets: SelectionSetNode[], fragments: Fragments): NamedSets {
  const wanted: NamedSets = new Map();
  for (const set of sets) collect(set, fragments, wanted);
  return wanted;
}

/** Fields of the set by name, each with its own sets; fragments are part of the set. */
function collect(set: SelectionSetNode, fragments: Fragments, wanted: NamedSets): void {
  for (const node of set.selections) {
    if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet, fragments, wanted);
    else if (node.kind === Kind.FRAGMENT_SPREAD)
      collect(fragments[node.name.value]!.selectionSet, fragments, wanted);
    else {
      const sets = wanted.get(node.name.value) ?? [];
      if (node.selectionSet) sets.push(node.selectionSet);
      wanted.set(node.name.value, sets);
    }
  }
}

function selectionOf(wanted: NamedSets, fragments: Fragments, registry: Registry, model: Model): Selection {
  const fields = new Set<Field>();
  const nested: Selection['nested'] = [];
  const defs = outputFields(registry, model);
  for (const [name, sets] of wanted) {
    const def = defs.get(name);
    if (!def) continue;
    if (def.role !== 'list') fields.add(def.field!);
    if (def.role === 'one' && !isPrismas(registry, def))
      nested.push(nestedOf(def, sets, fragments, registry));
  }
  const inner = nested.map(({ relation, selection: { key } }) => `${relation.name}(${key})`);
  const names = [...fields].map((field) => field.name);
  return { key: `${model.name} ${[...names, ...inner].join(',')}`, model, fields: [...fields], nested };
}

/** Whether the relation leads to a type of Prisma's, which the engine does not read along. */
const isPrismas = (registry: Registry, { field }: FieldDef): boolean =>
  registry.get(field!.relation!)!.options.graph?.prisma === true;

function nestedOf({ field }: FieldDef, sets: SelectionSetNode[], fragments: Fragments, registry: Registry) {
  const target = registry.get(field!.relation!)!;
  return { relation: field!, selection: selectionOf(wantedOf(sets, fragments), fragments, registry, target) };
}

/**
 * The selection as the record engine reads it. A record that a many2one leads to comes along in the same statement
 * where the caller may read its model at all; otherwise the field's own resolver reports why. Fields that a group hides
 * from the caller are left out, and noted.
 */
export function rowSelectList(ctx: Ctx, { model, fields, nested }: Selection): SelectList {
  const shown = fields.filter((field) => isVisible(ctx, model, field));
  const result: SelectList = shown.length ? shown.map((field) => field.name) : ['id'];
  for (const { relation, selection } of nested)
    if (canAccessField(ctx, relation) && canAccessModel(ctx, selection.model, 'read'))
      result.push({ relation, as: nestedKey(relation), fields: rowSelectList(ctx, selection) });
  return result;
}

/** Whether the caller may see the field; noted when not. */
export function isVisible(ctx: Ctx, model: Model, field: Field): boolean {
  if (canAccessField(ctx, field)) return true;
  ctx.hidden.add(
    `${typeName(model)}.${isList(field) ? relationName(model, field) : fieldName(model, field)}`,
  );
  return false;
}

/** Key of the record that came along with a row. */
export const nestedKey = (relation: Field): string => `@${relation.name}`;
