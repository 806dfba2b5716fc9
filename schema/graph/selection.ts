import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import { mayField, mayModel } from '../../src/engine/access/access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Field } from '../../src/engine/model/field.ts';
import type { Model, Registry } from '../../src/engine/model/model.ts';
import { camel } from '../../src/engine/model/naming.ts';
import type { SelectList } from '../../src/engine/read/select-list.ts';

/** What a query wants of a model: its fields, and of the records they lead to. */
export interface Selection {
  /** The same for the same selection of the same model. */
  key: string;
  model: Model;
  fields: Field[];
  /** Many2ones of which more than the id is wanted. */
  nested: { relation: Field; selection: Selection }[];
}

/**
 * By the field's node. Documents are kept and reused, so most requests find theirs; a node belongs to one document and
 * in it to one parent type, so the answer does not change.
 */
const known = new WeakMap<FieldNode, Selection>();

/** What the field being resolved wants of `model`. */
export function selected(info: GraphQLResolveInfo, model: Model, registry: Registry): Selection {
  const [first, ...others] = info.fieldNodes;
  const kept = others.length === 0 ? known.get(first!) : undefined;
  if (kept) return kept;
  const selection = selectionOf(
    info.fieldNodes.flatMap((node) => node.selectionSet ?? []),
    info,
    model,
    registry,
  );
  if (others.length === 0) known.set(first!, selection);
  return selection;
}

/**
 * The selection as the record engine reads it. A record that a many2one leads to comes along in the same statement when
 * the caller may read the model and the fields at all; otherwise the field's own resolver reports why.
 */
export function graphSelectList(ctx: Ctx, { fields, nested }: Selection): SelectList {
  const result: SelectList = fields.length ? fields.map((field) => field.name) : ['id'];
  for (const { relation, selection } of nested) {
    const open =
      mayModel(ctx, selection.model, 'read') && selection.fields.every((field) => mayField(ctx, field));
    if (open) result.push({ relation, as: relationName(relation), fields: graphSelectList(ctx, selection) });
  }
  return result;
}

/** `parent_id` gives `parent`, `child_ids` gives `children`. */
export function relationName(field: Field): string {
  const stem = camel(field.name.replace(/_ids?$/, ''));
  if (field.type === 'many2one') return stem === camel(field.name) ? `${stem}Record` : stem;
  if (stem === 'child') return 'children';
  return stem.endsWith('y') ? `${stem.slice(0, -1)}ies` : `${stem}s`;
}

function selectionOf(
  sets: SelectionSetNode[],
  info: GraphQLResolveInfo,
  model: Model,
  registry: Registry,
): Selection {
  const wanted = new Map<string, SelectionSetNode[]>();
  for (const set of sets) collect(set, info, wanted);
  const selection: Selection = { key: '', model, fields: [], nested: [] };
  for (const field of model.fields.values()) {
    const inner = field.relation ? wanted.get(relationName(field)) : undefined;
    if (inner || wanted.has(camel(field.name))) selection.fields.push(field);
    if (!inner || field.type !== 'many2one') continue;
    selection.nested.push({
      relation: field,
      selection: selectionOf(inner, info, registry.get(field.relation!)!, registry),
    });
  }
  const names = selection.fields.map((field) => field.name);
  const inner = selection.nested.map(({ relation, selection: { key } }) => `${relation.name}(${key})`);
  selection.key = `${model.name} ${[...names, ...inner].join(',')}`;
  return selection;
}

/** Fields of the set by name, each with its own sets; fragments are part of the set. */
function collect(
  set: SelectionSetNode,
  info: GraphQLResolveInfo,
  wanted: Map<string, SelectionSetNode[]>,
): void {
  for (const node of set.selections) {
    if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet, info, wanted);
    else if (node.kind === Kind.FRAGMENT_SPREAD)
      collect(info.fragments[node.name.value]!.selectionSet, info, wanted);
    else
      wanted.set(node.name.value, [
        ...(wanted.get(node.name.value) ?? []),
        ...(node.selectionSet ? [node.selectionSet] : []),
      ]);
  }
}
