import { AppError, errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Field } from '../model/field.ts';
import { isDateField, isNumberField, isRuleBound } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';
import { findFieldByGraphName } from '../model/naming.ts';
import type { DomainCondition, DomainParseState, DomainReader } from './condition.ts';
import { assertCost } from './cost.ts';
import { resolveHierarchy } from './hierarchy.ts';
import {
  buildColumnNode,
  buildContainment,
  buildPartNode,
  buildRelationComparison,
  getConditionValues,
  resolveDatePart,
} from './leaf.ts';
import { acceptsUnset, and, type DomainNode, FALSE, not, oneOf, or, TRUE } from './node.ts';
import { isUnset, parseId } from './operands.ts';
import { buildPropertyNode } from './property.ts';
import { parseTriple } from './triple.ts';

/**
 * Parses a domain for `model`. Without a reader, it is a platform domain (a record rule), which sees every record,
 * including archived ones, and uses UTC days.
 * @returns the tree, and whether the domain mentions the model's own `active` field, which turns off the active filter
 * @throws BAD_VALUE for unknown fields, unknown operators and wrong arity, and for a reader's domain that costs too
 * much; ACCESS_ERROR for fields that the reader may not see
 */
export function parseDomain(
  domain: unknown,
  model: Model,
  registry: Registry,
  reader: DomainReader | null = null,
): { node: DomainNode; active: boolean } {
  if (domain === false) return { node: FALSE, active: false };
  const items = domain === null || domain === undefined || domain === true ? [] : domain;
  if (!Array.isArray(items)) throw errors.malformedDomain('a domain must be a list of conditions');
  const state: DomainParseState = {
    registry,
    reader,
    clock: {
      now: reader?.now ?? Date.now(),
      tz: reader?.tz ?? 'UTC',
      weekStart: () => reader?.weekStart?.() ?? 7,
    },
    zone: reader?.periodZone ?? null,
    ruled: reader !== null,
    count: { conditions: 0 },
  };
  const isLarge = items.length > MIN_COUNTED_ITEMS;
  if (isLarge) assertConditionsLeft(reader);
  const node = parseList(items, model, state, 0);
  if (reader) assertCost(node);
  if (isLarge && reader?.conditions) reader.conditions.remaining -= state.count.conditions;
  return { node, active: mentionsActive(items, model) };
}

/** Smaller domains do not count toward the request's limit, because platform code uses many of them. */
const MIN_COUNTED_ITEMS = 20;

function assertConditionsLeft(reader: DomainReader | null): void {
  if (reader?.conditions && reader.conditions.remaining <= 0)
    throw errors.malformedDomain(`the request has more than ${limits.graphql.conditions} conditions`);
}

function mentionsActive(items: unknown[], model: Model): boolean {
  return items.some((item) => Array.isArray(item) && item[0] === (model.active?.name ?? 'active'));
}

/** Parses prefix notation from the end, and joins the remaining operands with AND. */
function parseList(items: unknown[], model: Model, state: DomainParseState, depth: number): DomainNode {
  const stack: DomainNode[] = [];
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    if (item === '!') stack.push(not(popOperand(stack, '!')));
    else if (item === '&') stack.push(and([popOperand(stack, '&'), popOperand(stack, '&')]));
    else if (item === '|') stack.push(or([popOperand(stack, '|'), popOperand(stack, '|')]));
    else stack.push(parseItem(item, model, state, depth));
  }
  return and(stack.reverse());
}

function popOperand(stack: DomainNode[], connector: string): DomainNode {
  const node = stack.pop();
  if (!node) throw errors.malformedDomain(`'${connector}' is missing an operand`);
  return node;
}

function parseItem(item: unknown, model: Model, state: DomainParseState, depth: number): DomainNode {
  const { left, operator, value } = parseTriple(item);
  if (++state.count.conditions > limits.domain.conditions)
    throw errors.malformedDomain('too many conditions');
  if (depth > limits.domain.depth) throw errors.malformedDomain('nested too deep');
  if (left === 1) return TRUE;
  if (left === 0) return FALSE;
  const [name, ...path] = left.split('.', limits.domain.depth + 2) as [string, ...string[]];
  if (path.length > limits.domain.depth) throw errors.malformedDomain('path too long');
  const field = resolveField(model, name, state, item);
  return parseStep({ model, field, operator, value, depth, item }, path, state);
}

function resolveField(model: Model, name: string, state: DomainParseState, item: unknown): Field {
  const field = model.fields.get(name);
  if (!field || field.secret) {
    const suggestion = findFieldByGraphName(model, name);
    throw errors
      .invalidCondition('field', `${model.name}.${name.slice(0, 80)}`, item, suggestion)
      .withDetails({ model: model.name, field: name.slice(0, 80) });
  }
  state.reader?.checkField(model, field);
  return field;
}

function parseStep(condition: DomainCondition, path: string[], state: DomainParseState): DomainNode {
  const { field, operator, value } = condition;
  if (field.definition && !field.related && path.length > 0)
    return buildPropertyNode(condition, path.join('.'));
  if (path.length > 0 && !field.related && !isDateField(field)) return parsePath(condition, path, state);
  if (operator === '=?') {
    const isEmpty = !value || (Array.isArray(value) && value.length === 0);
    return isEmpty ? TRUE : parseStep({ ...condition, operator: '=' }, path, state);
  }
  // The hierarchy operators of a relation start at this record, not at the record that stores the related field.
  const isTree = field.type === 'many2one' && path.length === 0 && operator.endsWith('_of');
  if (field.related && !isTree) return parseRelatedField(condition, field.related, path, state);
  if (operator === 'any' || operator === 'not any') {
    if (path.length === 0) return parseAnyCondition(condition, state);
  }
  return parseCondition(
    { ...condition, part: path.length > 0 ? resolveDatePart(condition, path) : undefined },
    state,
  );
}

/**
 * Treats a related field as the record's own: access to the intermediate record is not checked, and the field is unset
 * if the link is unset. If the field is a relation that the condition follows further or compares by name, the reader's
 * rights apply from there on.
 */
function parseRelatedField(
  condition: DomainCondition,
  [link, target]: [string, string],
  path: string[],
  state: DomainParseState,
): DomainNode {
  const { model, operator, value, depth } = condition;
  if (operator === 'not any' && path.length === 0)
    return not(parseRelatedField({ ...condition, operator: 'any' }, [link, target], path, state));
  const linkField = model.fields.get(link)!;
  const relatedModel = state.registry.get(linkField.relation!)!;
  const isFollowed = operator === 'any' || (path.length > 0 && !isDateField(condition.field));
  // Text is compared only with the names of records that the reader may read.
  const isNamed = condition.field.relation !== undefined && [value].flat().some((v) => typeof v === 'string');
  const inner = [[target, ...path].join('.'), operator, value];
  const where = parseItem(
    inner,
    relatedModel,
    isFollowed || isNamed ? state : { ...state, reader: null },
    depth + 1,
  );
  // Custom and inherited fields require access to the intermediate record. Names are always visible.
  const isRuled = isRuleBound(condition.field) && target !== 'display_name' && state.reader !== null;
  const buildLinkNode = (node: DomainNode): DomainNode => ({
    kind: 'exists',
    field: linkField,
    model: relatedModel,
    where: node,
    ruled: isRuled,
    active: false,
  });
  const unsetNode = isRuled ? not(buildLinkNode(TRUE)) : oneOf(linkField, [null]);
  return !isFollowed && acceptsUnset(where) ? or([buildLinkNode(where), unsetNode]) : buildLinkNode(where);
}

/** A dotted path is an `any` on its first step, so an unset relation never matches. */
function parsePath(
  { field, operator, value, depth, item }: DomainCondition,
  path: string[],
  state: DomainParseState,
): DomainNode {
  const rest = path.join('.');
  if (!field.relation) throw errors.invalidCondition('path', rest.slice(0, 80), item);
  const target = resolveTarget(field, state, item);
  const where = parseItem([rest, operator, value], target, state, depth + 1);
  return buildRelatedNode(field, target, where, state, path[0] === (target.active?.name ?? 'active'));
}

function parseAnyCondition(
  { model, field, operator, value, depth, item }: DomainCondition,
  state: DomainParseState,
): DomainNode {
  if (!Array.isArray(value)) throw errors.invalidCondition('value for', operator, item);
  const isPositive = operator === 'any';
  if (field.name === 'id') {
    const inner = parseList(value, model, state, depth + 1);
    return isPositive ? inner : not(inner);
  }
  if (!field.relation) throw errors.invalidCondition('field', `${model.name}.${field.name}`, item);
  const target = resolveTarget(field, state, item);
  const where = parseList(value, target, state, depth + 1);
  const node = buildRelatedNode(field, target, where, state, mentionsActive(value, target));
  return isPositive ? node : not(node);
}

function parseCondition(condition: DomainCondition, state: DomainParseState): DomainNode {
  const { operator, value } = condition;
  if (operator === '=' || operator === '!=') {
    const values = Array.isArray(value) ? (value.length ? value : [false]) : [value];
    const listed = operator === '=' ? 'in' : 'not in';
    return parseCondition({ ...condition, operator: listed, value: values }, state);
  }
  if (!condition.part && (operator === 'child_of' || operator === 'parent_of'))
    return parseTree(condition, state);
  // A negative operator matches everything that the positive one does not, including unset values.
  if (operator.startsWith('not '))
    return not(parsePositiveCondition({ ...condition, operator: operator.slice(4) }, state));
  return parsePositiveCondition(condition, state);
}

function parsePositiveCondition(condition: DomainCondition, state: DomainParseState): DomainNode {
  if (condition.operator === 'contains') return buildContainment(condition);
  if (condition.part) return buildPartNode(condition, state);
  if (condition.field.name === 'display_name') return parseDisplayName(condition, state);
  return condition.field.relation ? parseRelation(condition, state) : buildColumnNode(condition, state);
}

/** Searches a display name in all of the model's search fields. Only the display field is tested for being unset. */
function parseDisplayName(condition: DomainCondition, state: DomainParseState): DomainNode {
  if (condition.operator !== 'in') return parseSearchNames(condition, state);
  const values = getConditionValues(condition);
  const set = values.filter((value) => !isUnset(value) && value !== '');
  const parts: DomainNode[] = [];
  if (set.length < values.length) parts.push(buildUnnamedNode(condition, state));
  if (set.length > 0) parts.push(parseSearchNames({ ...condition, value: set }, state));
  return or(parts);
}

function buildUnnamedNode({ model, field, depth }: DomainCondition, state: DomainParseState): DomainNode {
  if (model.display === null) return oneOf(field, [null]);
  return parseItem([model.display, '=', false], model, state, depth + 1);
}

function parseSearchNames(condition: DomainCondition, state: DomainParseState): DomainNode {
  const { model, operator, value, depth } = condition;
  if (model.searchNames.length === 0) return buildColumnNode(condition, state);
  // Limits the number of comparisons, because every search field is compared with all values.
  if (Array.isArray(value) && value.length * model.searchNames.length > limits.domain.values)
    throw errors.malformedDomain('too many names');
  const parts = model.searchNames.map((name) => {
    const find = () => parseItem([name, operator, value], model, state, depth + 1);
    const field = model.fields.get(name);
    return field && (isNumberField(field) || isDateField(field)) ? matchNothingOnBadValue(find) : find();
  });
  return or([...parts, ...parseNameCodes(condition, state)]);
}

/** Splits a display name such as `[DESK-160] Desk`, because comparing whole display names can't use an index. */
function parseNameCodes(condition: DomainCondition, state: DomainParseState): DomainNode[] {
  const { model, operator, value, depth } = condition;
  const { nameCode } = model.options;
  const isPattern = operator.endsWith('like');
  if (!nameCode || (operator !== 'in' && !isPattern)) return [];
  const find = (name: string, text: string) => parseItem([name, '=', text], model, state, depth + 1);
  return [value].flat().flatMap((item) => {
    const [, code, name] = /^%?\[(.+?)\] ?(.*)/s.exec(String(item)) ?? [];
    if (code === undefined) return [];
    // As in Odoo, a search looks only for the code.
    return isPattern ? find(nameCode, code) : and([find(nameCode, code), find(model.searchNames[0]!, name!)]);
  });
}

/** Treats a value that does not fit a search field, such as text for a number, as no match. */
function matchNothingOnBadValue(find: () => DomainNode): DomainNode {
  try {
    return find();
  } catch (error) {
    if (error instanceof AppError && error.kind === 'BAD_VALUE') return FALSE;
    throw error;
  }
}

function parseRelation(condition: DomainCondition, state: DomainParseState): DomainNode {
  const { operator, value } = condition;
  if (operator === 'in') return parseMembers(condition, state);
  if (!operator.endsWith('like')) return buildRelationComparison(condition, state);
  return parseNameCondition(
    condition,
    operator,
    isUnset(value) && !operator.startsWith('=') ? '' : value,
    state,
  );
}

/** Accepts ids, names, and false for "no record". */
function parseMembers(condition: DomainCondition, state: DomainParseState): DomainNode {
  const { field, item } = condition;
  const values = getConditionValues(condition);
  if (values.length === 0) return FALSE;
  const names = values.filter((value) => typeof value === 'string');
  const parts: DomainNode[] = [];
  if (values.some(isUnset)) parts.push(buildUnlinkedNode(field, state));
  parts.push(buildLinkedToNode(field, parseIdOperands(values, item), state));
  if (names.length) parts.push(parseNameCondition(condition, 'in', names, state));
  return or(parts);
}

function parseNameCondition(
  { field, depth, item }: DomainCondition,
  operator: string,
  value: unknown,
  state: DomainParseState,
): DomainNode {
  const target = resolveTarget(field, state, item);
  const where = parseItem(['display_name', operator, value], target, state, depth + 1);
  return buildRelatedNode(field, target, where, state, false);
}

/**
 * Builds a `child_of` or `parent_of` condition. The value (ids, or parts of display names) selects the start records.
 * If the model has no hierarchy, only the start records match. Start records that the caller may not read count if they
 * are selected by id, except for a many2many field (Odoo 19).
 */
function parseTree(condition: DomainCondition, state: DomainParseState): DomainNode {
  const { field, operator, value, depth, item } = condition;
  if (isUnset(value) && (field.name === 'id' || field.relation)) return FALSE;
  const { target, parent, column } = resolveHierarchy(condition, state);
  const values = (Array.isArray(value) ? value : [value]).filter((item) => !isUnset(item));
  const ids = parseIdOperands(values, item);
  const recordNames = values.filter(isRecordName);
  if (recordNames.length > 0 && field.relation) state.reader?.checkModel(target);
  if (ids.length === 0 && recordNames.length === 0) return FALSE;
  const find = (name: unknown) => parseItem(['display_name', 'ilike', name], target, state, depth + 1);
  const searched = recordNames.map(find);
  if (!parent && searched.length === 0) return buildLinkedToNode(field, ids, state);
  const searchesIds = field.type === 'many2many' && ids.length > 0;
  if (searchesIds) searched.push(oneOf(target.fields.get('id')!, ids));
  const tree = {
    model: target,
    parent,
    up: operator === 'parent_of',
    ids: searchesIds ? [] : ids,
    searched: searched.length > 0 ? or(searched) : null,
    ruled: state.reader !== null,
    active: searched.length > 0 && excludesArchived(field, state),
  };
  const node: DomainNode = { kind: 'tree', field: column, tree };
  return field.type.endsWith('2many') ? buildLinkedNode(field, node, state) : node;
}

/** Returns the field's related model, which the reader must be allowed to read. */
function resolveTarget(field: Field, state: DomainParseState, item: unknown): Model {
  const target = state.registry.get(field.relation!);
  if (!target) throw errors.invalidCondition('field', field.name, item);
  state.reader?.checkModel(target);
  return target;
}

/**
 * Builds a condition on related records under the reader's rules. Excludes archived records unless the condition
 * mentions `active`.
 */
function buildRelatedNode(
  field: Field,
  model: Model,
  where: DomainNode,
  state: DomainParseState,
  asksActive: boolean,
): DomainNode {
  const active = field.activeOnly || (excludesArchived(field, state) && !asksActive);
  return { kind: 'exists', field, model, where, ruled: state.reader !== null, active };
}

/** A many2one may reference an archived record. */
const excludesArchived = (field: Field, { reader }: DomainParseState): boolean =>
  reader !== null && reader.activeTest !== false && field.type !== 'many2one';

/** Numeric text may be an id, because forms and n8n send every value as text. */
const isRecordName = (value: unknown): boolean => typeof value === 'string' && !/^\d+$/.test(value);

/** Parses the ids among the values that are compared with a relation. @throws BAD_VALUE */
const parseIdOperands = (values: unknown[], item: unknown): number[] =>
  values
    .filter((value) => !isUnset(value) && !isRecordName(value))
    .map((value) => parseId(value, item))
    .filter((id) => id !== undefined);

const buildUnlinkedNode = (field: Field, state: DomainParseState): DomainNode =>
  field.type === 'many2one' ? oneOf(field, [null]) : not(buildLinkedNode(field, TRUE, state));

function buildLinkedToNode(field: Field, ids: number[], state: DomainParseState): DomainNode {
  if (field.type === 'many2one' || field.name === 'id') return oneOf(field, ids);
  if (ids.length === 0) return FALSE;
  const target = state.registry.get(field.relation!);
  return target ? buildLinkedNode(field, oneOf(target.fields.get('id')!, ids), state) : FALSE;
}

/** Tests the list's records under the reader's rules. Archived records match unless the list excludes them. */
function buildLinkedNode(field: Field, where: DomainNode, state: DomainParseState): DomainNode {
  const model = state.registry.get(field.relation!);
  const active = field.activeOnly ?? false;
  return model ? { kind: 'exists', field, model, where, ruled: state.ruled, active } : FALSE;
}
