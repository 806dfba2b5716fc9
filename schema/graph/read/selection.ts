import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import { memoizePerObject } from '../../../src/cache.ts';
import { canAccessField, canAccessModel } from '../../../src/engine/access/access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { type Field, isList } from '../../../src/engine/model/field.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import type { SelectList } from '../../../src/engine/read/select-list.ts';
import type { Fragments } from '../../../src/engine/verb/fragments.ts';
import type { FieldDef } from '../plan/definition.ts';
import { getOutputFields } from '../plan/field-map.ts';
import { getFieldName, getRelationName, getTypeName } from '../plan/names.ts';

/** What a document wants of a model's records: its fields, and of the records that many2ones lead to. */
export interface RecordSelection {
  /** The same for the same selection of the same model. */
  key: string;
  model: Model;
  fields: Field[];
  nested: { relation: Field; selection: RecordSelection }[];
}

/** What is selected by name, each with its own sets. */
export type SelectionSetsByName = Map<string, SelectionSetNode[]>;

/**
 * By registry, for workspaces share documents, and by node: documents are kept and reused, so most requests find
 * theirs. A node belongs to one document and in it to one parent type, so the answer does not change.
 */
const selectionCaches = memoizePerObject((_registry: Registry) => new WeakMap<FieldNode, RecordSelection>());

/** What the field being resolved wants of the records it gives: `path` leads to them, such as `edges.node`. */
export function getSelection(
  info: GraphQLResolveInfo,
  registry: Registry,
  model: Model,
  paths: readonly string[][] = [[]],
): RecordSelection {
  const [first, ...others] = info.fieldNodes;
  const known = selectionCaches(registry);
  const found = others.length === 0 ? known.get(first!) : undefined;
  if (found) return found;
  const sets = info.fieldNodes.flatMap((node) => node.selectionSet ?? []);
  const inner = paths.flatMap((path) => getSetsAt(sets, path, info.fragments));
  const selection = buildSelection(collectSelections(inner, info.fragments), info.fragments, registry, model);
  if (others.length === 0) known.set(first!, selection);
  return selection;
}

/** The same where one field may give records of several models. */
export function getSelectionOfModel(
  { fieldNodes, fragments }: GraphQLResolveInfo,
  registry: Registry,
  model: Model,
  path: string[],
): RecordSelection {
  const sets = fieldNodes.flatMap((node) => node.selectionSet ?? []);
  return buildSelection(
    collectSelections(getSetsAt(sets, path, fragments), fragments),
    fragments,
    registry,
    model,
  );
}

/** Where the records of a connection stand. */
export const CONNECTION_PATHS: readonly string[][] = [['nodes'], ['edges', 'node']];

/** The sets at the end of `path`. */
export function getSetsAt(
  sets: SelectionSetNode[],
  path: string[],
  fragments: Fragments,
): SelectionSetNode[] {
  return path.reduce((at, name) => collectSelections(at, fragments).get(name) ?? [], sets);
}

/** The names that the field being resolved selects. */
export const getSelectedNames = (info: GraphQLResolveInfo): SelectionSetsByName =>
  collectSelections(
    info.fieldNodes.flatMap((node) => node.selectionSet ?? []),
    info.fragments,
  );

export function collectSelections(sets: SelectionSetNode[], fragments: Fragments): SelectionSetsByName {
  const wanted: SelectionSetsByName = new Map();
  for (const set of sets) collect(set, fragments, wanted);
  return wanted;
}

/** Fields of the set by name, each with its own sets; fragments are part of the set. */
function collect(set: SelectionSetNode, fragments: Fragments, wanted: SelectionSetsByName): void {
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

function buildSelection(
  wanted: SelectionSetsByName,
  fragments: Fragments,
  registry: Registry,
  model: Model,
): RecordSelection {
  const fields = new Set<Field>();
  const nested: RecordSelection['nested'] = [];
  const defs = getOutputFields(registry, model);
  for (const [name, sets] of wanted) {
    const def = defs.get(name);
    if (!def) continue;
    if (def.role !== 'list') fields.add(def.field!);
    if (def.role === 'one' && !isPrismas(registry, def))
      nested.push(buildNested(def, sets, fragments, registry));
  }
  const inner = nested.map(({ relation, selection: { key } }) => `${relation.name}(${key})`);
  const names = [...fields].map((field) => field.name);
  return { key: `${model.name} ${[...names, ...inner].join(',')}`, model, fields: [...fields], nested };
}

/** Whether the relation leads to a type of Prisma's, which the engine does not read along. */
const isPrismas = (registry: Registry, { field }: FieldDef): boolean =>
  registry.get(field!.relation!)!.options.graph?.prisma === true;

function buildNested(
  { field }: FieldDef,
  sets: SelectionSetNode[],
  fragments: Fragments,
  registry: Registry,
) {
  const target = registry.get(field!.relation!)!;
  return {
    relation: field!,
    selection: buildSelection(collectSelections(sets, fragments), fragments, registry, target),
  };
}

/**
 * The selection as the record engine reads it. A record that a many2one leads to comes along in the same statement
 * where the caller may read its model at all; otherwise the field's own resolver reports why. Fields that a group hides
 * from the caller are left out, and noted.
 */
export function buildRowSelectList(ctx: Ctx, { model, fields, nested }: RecordSelection): SelectList {
  const shown = fields.filter((field) => isVisible(ctx, model, field));
  const result: SelectList = shown.length ? shown.map((field) => field.name) : ['id'];
  for (const { relation, selection } of nested)
    if (canAccessField(ctx, relation) && canAccessModel(ctx, selection.model, 'read'))
      result.push({ relation, as: getNestedKey(relation), fields: buildRowSelectList(ctx, selection) });
  return result;
}

/** Whether the caller may see the field; noted when not. */
export function isVisible(ctx: Ctx, model: Model, field: Field): boolean {
  if (canAccessField(ctx, field)) return true;
  ctx.hidden.add(
    `${getTypeName(model)}.${isList(field) ? getRelationName(model, field) : getFieldName(model, field)}`,
  );
  return false;
}

/** Key of the record that came along with a row. */
export const getNestedKey = (relation: Field): string => `@${relation.name}`;
