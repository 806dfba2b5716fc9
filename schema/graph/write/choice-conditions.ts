import { type FieldNode, type GraphQLResolveInfo, Kind, type ValueNode } from 'graphql';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { isAlwaysTrue, isNeverUnset } from '../../../src/engine/domain/always-true.ts';
import { parseDomain } from '../../../src/engine/domain/parse.ts';
import { type Field, isAlwaysSet, isListField } from '../../../src/engine/model/field.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { removeAccents } from '../../../src/engine/value/accents.ts';
import { errors } from '../../../src/errors.ts';
import { getConditionMap } from '../plan/field-map.ts';
import { toWhereDomain } from '../read/where.ts';

// A missing condition makes a bulk write change more records than intended: `JSON.stringify` drops undefined values,
// and GraphQL drops fields whose variable is absent. Therefore, every part of a mutation's `where` must restrict the
// records ([ADR 46](../../../docs/adr/0046-empty-conditions.md)).

type Conditions = Record<string, unknown>;
type Condition = { field: Field; isRelation: boolean };

/** @throws BAD_VALUE if a variable in the mutation's `where` has no value */
export function checkConditionVariables(info: GraphQLResolveInfo): void {
  const where = findWhereArgument(info);
  if (where) checkNode(where.value, info.variableValues, 'where');
}

/** Returns true if the document passes `where` as a variable, even if it has no value. */
export const isWhereVariable = (info: GraphQLResolveInfo): boolean =>
  findWhereArgument(info)?.value.kind === Kind.VARIABLE;

const findWhereArgument = ({ fieldNodes }: GraphQLResolveInfo): ArgumentNode | undefined =>
  fieldNodes[0]!.arguments?.find(({ name }: ArgumentNode) => name.value === 'where');

type ArgumentNode = NonNullable<FieldNode['arguments']>[number];

function checkNode(node: ValueNode, variables: Conditions, path: string): void {
  if (node.kind === Kind.VARIABLE && variables[node.name.value] === undefined && path !== 'where')
    throw errors.openCondition(path, `the variable $${node.name.value} has no value`);
  if (node.kind === Kind.LIST)
    for (const [index, item] of node.values.entries()) checkNode(item, variables, `${path}[${index}]`);
  if (node.kind === Kind.OBJECT)
    for (const { name, value } of node.fields) checkNode(value, variables, `${path}.${name.value}`);
}

/** @throws BAD_VALUE if a part of `where` matches every record */
export function checkConditions(ctx: Ctx, model: Model, where: unknown, path = 'where'): void {
  const { registry } = ctx.catalog;
  for (const [name, value] of listParts(where, path)) {
    const fieldPath = `${path}.${name}`;
    const { node } = parseDomain(toWhereDomain(registry, model, { [name]: value }), model, registry, null);
    if (isAlwaysTrue(node)) throw errors.openCondition(fieldPath, 'it matches every record');
    checkPart(ctx, model, [name, value], fieldPath);
  }
}

function checkPart(ctx: Ctx, model: Model, [name, value]: [string, unknown], at: string): void {
  if (name === 'not') checkConditions(ctx, model, value, at);
  else if (name === 'and' || name === 'or')
    for (const [index, item] of listParts(value, at)) checkConditions(ctx, model, item, `${at}[${index}]`);
  else if (value !== null)
    checkField(ctx, getConditionMap(ctx.catalog.registry, model).get(name)!, value, at);
}

function checkField(ctx: Ctx, { field, isRelation }: Condition, value: unknown, at: string): void {
  if (!isRelation) {
    checkComparisons(field, value as Conditions, at);
    return;
  }
  const target = ctx.catalog.registry.get(field.relation!)!;
  const wheres = isListField(field) ? listParts(value, at) : [['', value] as const];
  for (const [choice, item] of wheres) checkConditions(ctx, target, item, choice ? `${at}.${choice}` : at);
}

function listParts(value: unknown, path: string): [string, unknown][] {
  const parts = Object.entries(value as Conditions).filter(([, value]) => value !== undefined);
  if (parts.length === 0) throw errors.openCondition(path, 'it is empty');
  return parts;
}

function checkComparisons(
  field: Field,
  { ignoreCase: _, ignoreAccents, ...comparisons }: Conditions,
  path: string,
): void {
  for (const [name, value] of listParts(comparisons, path)) {
    const fieldPath = `${path}.${name}`;
    if (typeof value === 'object' && value !== null) listParts(value, fieldPath);
    const pattern = ignoreAccents === true ? removeAccents(String(value)) : String(value);
    if (
      PATTERN_OPERATORS.has(name) &&
      (name === 'like' && isNeverUnset(field) ? SET_TEXT_PATTERN : ANY_TEXT_PATTERN).test(pattern)
    )
      throw errors.openCondition(fieldPath, 'it matches every string');
    if (name === 'isNull' && value === null) throw errors.openCondition(fieldPath, 'it is null');
    if ((name === 'isNull' || value === null) && isAlwaysSet(field))
      throw errors.openCondition(fieldPath, 'the field always has a value');
  }
}

const ANY_TEXT_PATTERN = /^%*$/;
/** Patterns that match all text except the empty string, which a field that is always set cannot have. */
const SET_TEXT_PATTERN = /^(?:%*|%+_%*|_%+)$/;
const PATTERN_OPERATORS: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith', 'like']);
