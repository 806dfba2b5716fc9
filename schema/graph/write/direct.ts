import {
  BREAK,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  getOperationAST,
  isLeafType,
  isNonNullType,
  isObjectType,
  locatedError,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
import { memoizePerObject } from '../../../src/cache.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Field } from '../../../src/engine/model/field.ts';
import { toCamelCase } from '../../../src/engine/model/naming.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { coerceVariables } from '../../../src/engine/operation/coerce.ts';
import { collectFragments } from '../../../src/engine/operation/fragments.ts';
import { canCall } from '../../../src/engine/operation/policy.ts';
import type { FieldDef } from '../plan/definition.ts';
import type { GraphRow } from '../read/rows.ts';
import type { RecordSelection } from '../read/selection.ts';
import { type ArgumentReader, createArgumentReader } from './direct-arguments.ts';
import { createSelectedResult } from './mutation-result.ts';
import { createWith, updateWith } from './write.ts';

// The direct path: a mutation that creates or updates one record and selects only its own fields. It is compiled from
// the document once and runs without the executor, with exactly the executor's result, or not at all.

interface DirectChange {
  key: string;
  nodes: Nodes;
  role: 'createOne' | 'updateOne';
  model: string;
  policy: Policy;
  args: ArgumentReader;
  /** Fields to read. Empty if the ids are enough. */
  fields: Field[];
  values: ResponseValue[];
}

/** A value of the response: a constant, or the row's value under `from`. */
type ResponseValue = { key: string } & (
  | { kind: 'constant'; value: string }
  | {
      kind: 'column';
      field: Field;
      from: string;
      type: GraphQLLeafType;
      isNever: string | null;
      nodes: Nodes;
    }
);

type Nodes = readonly FieldNode[];

/** Cached by schema, because workspaces share documents. Null if the executor must run the operation. */
const getChanges = memoizePerObject(
  (_schema: GraphQLSchema) => new WeakMap<OperationDefinitionNode, DirectChange | null>(),
);

/** Runs the mutation. Null if the executor must run it. */
export function runDirectChange(args: ExecutionArgs): Promise<ExecutionResult> | null {
  const { schema, document, operationName } = args;
  const ctx = args.contextValue as Ctx;
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== 'mutation') return null;
  const change = getCachedChange(schema, args, operation);
  if (!change || change.policy.audit || !canCall(ctx, change.policy)) return null;
  const { coerced } = coerceVariables(schema, operation.variableDefinitions ?? [], args.variableValues ?? {});
  return coerced ? run(ctx, change, coerced) : null;
}

function getCachedChange(schema: GraphQLSchema, args: ExecutionArgs, operation: OperationDefinitionNode) {
  const changes = getChanges(schema);
  let change = changes.get(operation);
  if (change === undefined) {
    change = compileDirectChange(args, operation);
    changes.set(operation, change);
  }
  return change;
}

async function run(
  ctx: Ctx,
  change: DirectChange,
  variables: Record<string, unknown>,
): Promise<ExecutionResult> {
  const failures: GraphQLError[] = [];
  try {
    const row = await applyChange(ctx, change, change.args(variables));
    const data = Object.assign(Object.create(null), { [change.key]: buildResponse(change, row, failures) });
    return failures.length > 0 ? { errors: failures, data } : { data };
  } catch (error) {
    // The field is non-null, so an error makes the whole `data` null.
    return { errors: [...failures, locatedError(error, change.nodes, [change.key])], data: null };
  }
}

function applyChange(ctx: Ctx, change: DirectChange, args: Record<string, unknown>): Promise<GraphRow> {
  const model = getModel(ctx, change.model);
  const { fields } = change;
  const selection: RecordSelection | null = fields.length > 0 ? { key: '', model, fields, nested: [] } : null;
  return change.role === 'createOne'
    ? createWith(
        ctx,
        model,
        args as Parameters<typeof createWith>[2],
        createSelectedResult(ctx, model, selection, 'created'),
      )
    : updateWith(
        ctx,
        model,
        args as Parameters<typeof updateWith>[2],
        createSelectedResult(ctx, model, selection, 'updated'),
      );
}

function buildResponse({ key: root, values }: DirectChange, row: GraphRow, failures: GraphQLError[]): object {
  const result: Record<string, unknown> = Object.create(null);
  for (const value of values)
    result[value.key] = value.kind === 'constant' ? value.value : completeValue(value, row, root, failures);
  return result;
}

/** Completes a value according to its type. @throws GraphQLError if a non-null value is missing */
function completeValue(
  { key, from, type, isNever, nodes }: ResponseValue & { kind: 'column' },
  row: GraphRow,
  root: string,
  failures: GraphQLError[],
): unknown {
  try {
    const value = row[from];
    if (value !== null && value !== undefined) return type.serialize(value);
    if (isNever) throw new Error(isNever);
  } catch (error) {
    const locatedQlerror = locatedError(error, nodes, [root, key]);
    if (isNever) throw locatedQlerror;
    failures.push(locatedQlerror);
  }
  return null;
}

/** Compiles the operation for the direct path. Null if the executor must run it. */
function compileDirectChange(
  { schema, document }: ExecutionArgs,
  operation: OperationDefinitionNode,
): DirectChange | null {
  if (hasDirectives(document)) return null;
  const type = schema.getMutationType()!;
  const fragments = collectFragments(document);
  const [root, ...otherRoots] = collectFields(schema, fragments, {}, type, operation.selectionSet);
  if (!root || otherRoots.length > 0) return null;
  const [key, nodes] = root;
  const field = type.getFields()[nodes[0]!.name.value];
  const { role, model } = (field?.extensions.def ?? {}) as Partial<FieldDef>;
  const policy = field?.extensions.policy as Policy | undefined;
  if (!field || !policy || !model || (role !== 'createOne' && role !== 'updateOne')) return null;
  const record = getNullableType(field.type);
  if (!isNonNullType(field.type) || !isObjectType(record)) return null;
  const subfields = [...collectSubfields(schema, fragments, {}, record, nodes)];
  const values = subfields
    .map(([valueSpec, at]) => buildDirectValue(record, valueSpec, at))
    .filter((item) => item !== null);
  if (values.length < subfields.length) return null;
  const fields = values.flatMap((value) => (value.kind === 'column' ? value.field : []));
  const isRead = fields.some(({ name }) => name !== 'id');
  const args = createArgumentReader(field, nodes[0]!);
  return { key, nodes, role, model, policy, args, fields: isRead ? [...new Set(fields)] : [], values };
}

function hasDirectives(document: DocumentNode): boolean {
  let hasDirective = false;
  visit(document, {
    Directive() {
      hasDirective = true;
      return BREAK;
    },
  });
  return hasDirective;
}

/** Null unless the field is a plain column. */
function buildDirectValue(record: GraphQLObjectType, key: string, nodes: Nodes): ResponseValue | null {
  const name = nodes[0]!.name.value;
  if (name === '__typename') return { key, kind: 'constant', value: record.name };
  const recordField = record.getFields()[name];
  const { role, field } = (recordField?.extensions.def ?? {}) as Partial<FieldDef>;
  const type = recordField && getNullableType(recordField.type);
  // Properties are looked up after reading.
  if (role !== 'column' || !field || field.definition || !type || !isLeafType(type)) return null;
  const isNever = isNonNullType(recordField.type)
    ? `Cannot return null for non-nullable field ${record.name}.${name}.`
    : null;
  return { key, kind: 'column', field, from: toCamelCase(field.name), type, isNever, nodes };
}
