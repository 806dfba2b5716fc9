import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import { memoizePerObject } from '../../../src/cache.ts';
import { canAccessField, canAccessModel } from '../../../src/engine/access/access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { type Field, isListField } from '../../../src/engine/model/field.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import type { Fragments } from '../../../src/engine/operation/fragments.ts';
import type { SelectList } from '../../../src/engine/read/select-list.ts';
import type { FieldDef } from '../plan/definition.ts';
import { getOutputFields } from '../plan/field-map.ts';
import { getFieldName, getRelationName, getTypeName } from '../plan/names.ts';

export interface RecordSelection {
  /** Equal for identical selections of a model. */
  key: string;
  model: Model;
  fields: Field[];
  nested: { relation: Field; selection: RecordSelection }[];
}

export type SelectionSetsByName = Map<string, SelectionSetNode[]>;

/**
 * Selections by registry and node. Workspaces share cached documents, so most requests hit this cache. A node belongs
 * to one document and one parent type, so its selection never changes.
 */
const selectionCaches = memoizePerObject((_registry: Registry) => new WeakMap<FieldNode, RecordSelection>());

/** Returns the selection of the field being resolved. `paths` lead to the records, such as `edges.node`. */
export function getSelection(
  info: GraphQLResolveInfo,
  registry: Registry,
  model: Model,
  paths: readonly string[][] = [[]],
): RecordSelection {
  const [first, ...otherNodes] = info.fieldNodes;
  const cachedSelections = selectionCaches(registry);
  const cachedSelection = otherNodes.length === 0 ? cachedSelections.get(first!) : undefined;
  if (cachedSelection) return cachedSelection;
  const sets = info.fieldNodes.flatMap((node) => node.selectionSet ?? []);
  const inner = paths.flatMap((path) => getSetsAt(sets, path, info.fragments));
  const selection = buildSelection(collectSelections(inner, info.fragments), info.fragments, registry, model);
  if (otherNodes.length === 0) cachedSelections.set(first!, selection);
  return selection;
}

/** Like `getSelection`, for a field that can return records of several models. */
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

export const CONNECTION_PATHS: readonly string[][] = [['nodes'], ['edges', 'node']];

export function getSetsAt(
  sets: SelectionSetNode[],
  path: string[],
  fragments: Fragments,
): SelectionSetNode[] {
  return path.reduce((nodes, name) => collectSelections(nodes, fragments).get(name) ?? [], sets);
}

export const getSelectionSetsByName = (info: GraphQLResolveInfo): SelectionSetsByName =>
  collectSelections(
    info.fieldNodes.flatMap((node) => node.selectionSet ?? []),
    info.fragments,
  );

export function collectSelections(sets: SelectionSetNode[], fragments: Fragments): SelectionSetsByName {
  const selections: SelectionSetsByName = new Map();
  for (const set of sets) collectFields(set, fragments, selections);
  return selections;
}

/** Collects a selection set's fields by name, with their selection sets. Includes fields from fragments. */
function collectFields(set: SelectionSetNode, fragments: Fragments, selections: SelectionSetsByName): void {
  for (const node of set.selections) {
    if (node.kind === Kind.INLINE_FRAGMENT) collectFields(node.selectionSet, fragments, selections);
    else if (node.kind === Kind.FRAGMENT_SPREAD)
      collectFields(fragments[node.name.value]!.selectionSet, fragments, selections);
    else {
      const sets = selections.get(node.name.value) ?? [];
      if (node.selectionSet) sets.push(node.selectionSet);
      selections.set(node.name.value, sets);
    }
  }
}

function buildSelection(
  selections: SelectionSetsByName,
  fragments: Fragments,
  registry: Registry,
  model: Model,
): RecordSelection {
  const fields = new Set<Field>();
  const nested: RecordSelection['nested'] = [];
  const defs = getOutputFields(registry, model);
  for (const [name, sets] of selections) {
    const def = defs.get(name);
    if (!def) continue;
    if (def.role !== 'list') fields.add(def.field!);
    if (def.role === 'one' && !isReadByPrisma(registry, def))
      nested.push(buildNested(def, sets, fragments, registry));
  }
  const inner = nested.map(({ relation, selection: { key } }) => `${relation.name}(${key})`);
  const names = [...fields].map((field) => field.name);
  return { key: `${model.name} ${[...names, ...inner].join(',')}`, model, fields: [...fields], nested };
}

/** Returns true if Prisma reads the target type, so that the engine cannot read it in the same statement. */
const isReadByPrisma = (registry: Registry, { field }: FieldDef): boolean =>
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
 * Converts the selection to the record engine's format. A many2one's record is read with the same statement if the
 * caller may read its model. Otherwise, the field's resolver reports the error. Omits fields that a group hides from
 * the caller, and records them as hidden.
 */
export function buildRowSelectList(ctx: Ctx, { model, fields, nested }: RecordSelection): SelectList {
  const visibleFields = fields.filter((field) => isVisible(ctx, model, field));
  const result: SelectList = visibleFields.length ? visibleFields.map((field) => field.name) : ['id'];
  for (const { relation, selection } of nested)
    if (canAccessField(ctx, relation) && canAccessModel(ctx, selection.model, 'read'))
      result.push({ relation, as: getNestedKey(relation), fields: buildRowSelectList(ctx, selection) });
  return result;
}

/** Returns true if the caller may see the field, and records it as hidden otherwise. */
export function isVisible(ctx: Ctx, model: Model, field: Field): boolean {
  if (canAccessField(ctx, field)) return true;
  ctx.hidden.add(
    `${getTypeName(model)}.${isListField(field) ? getRelationName(model, field) : getFieldName(model, field)}`,
  );
  return false;
}

export const getNestedKey = (relation: Field): string => `@${relation.name}`;
