import { type GraphQLSchema, isObjectType } from 'graphql';
import { canAccessField, canAccessModel } from '../../src/engine/access/access.ts';
import { getModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { describeFields } from '../../src/engine/describe/describe.ts';
import {
  getModelLabel,
  getModelPluralLabel,
  type LabelLanguage,
  translateLabel,
} from '../../src/engine/describe/labels.ts';
import type { AccessKind } from '../../src/engine/model/access-kind.ts';
import type { Field } from '../../src/engine/model/field.ts';
import { isListField, VERSION_FIELD } from '../../src/engine/model/field.ts';
import { listMainFields } from '../../src/engine/model/main-fields.ts';
import type { FieldConditions, Model } from '../../src/engine/model/model.ts';
import { getModelGraphNames } from '../../src/engine/model/registry.ts';
import { type Operation, operations } from '../../src/engine/operation/operation.ts';
import { canCall } from '../../src/engine/operation/policy.ts';
import { limits } from '../../src/limits.ts';
import { getOutputFields } from '../graph/plan/field-map.ts';
import { buildFieldEnumNames, findRelatedModel, isEnum } from '../graph/plan/names.ts';
import type {
  FieldConditionDetails,
  FieldDetails,
  FormActionDetails,
  ModelDetails,
  OperationDetails,
  OptionDetails,
} from './model-types.ts';

// Model metadata that user interfaces need to show and edit records, limited by the caller's rights.

/** @throws NOT_FOUND_MODEL */
export function buildModelDetails(ctx: Ctx, name: string, language: LabelLanguage): ModelDetails {
  const model = getModel(ctx, name);
  const schema = ctx.runtime.getSchema(ctx.catalog.registry);
  const { type, one, many } = getModelGraphNames(model);
  const query = schema.getQueryType()!.getFields();
  const findQueryName = (field: string): string | null => (field in query ? field : null);
  const canAccess = (operation: AccessKind) => canAccessModel(ctx, model, operation);
  return {
    name,
    label: getModelLabel(model, language),
    pluralLabel: getModelPluralLabel(model, language),
    typeName: type,
    queryField: findQueryName(one),
    listField: findQueryName(many),
    groupField: findQueryName(`${one}Groups`),
    displayField: model.display,
    mainFields: listMainFields(model).flatMap((field) => (canAccessField(ctx, field) ? field.name : [])),
    versionField: findVersionField(ctx, model),
    custom: model.customId !== null,
    access: {
      read: canAccess('read'),
      create: canAccess('create'),
      update: canAccess('write'),
      delete: canAccess('unlink'),
    },
    fields: buildFieldDetails(ctx, model, null, language),
    operations: [...listGeneralOperations(schema, model), ...listModelOperations(ctx, model, language)],
  };
}

export function buildFieldDetails(
  ctx: Ctx,
  model: Model,
  fieldNames: string[] | null,
  language: LabelLanguage,
): FieldDetails[] {
  const graphNames = findGraphFieldNames(ctx, model);
  return Object.values(describeFields(ctx, model.name, fieldNames, null, language)).map((info) =>
    buildFieldDetail(ctx, model, info, graphNames),
  );
}

function buildFieldDetail(
  ctx: Ctx,
  model: Model,
  info: Record<string, unknown>,
  names: Map<Field, GraphFieldNames>,
): FieldDetails {
  const field = model.fields.get(String(info.name))!;
  const text = (key: string) => (info[key] as string | undefined) ?? null;
  const target = findRelatedModel(ctx.catalog.registry, field);
  const graphName = names.get(field) ?? {};
  return {
    name: field.name,
    graphqlName: graphName.value ?? null,
    relationName: graphName.records ?? null,
    type: field.type,
    label: text('string')!,
    help: text('help'),
    required: info.required === true,
    readonly: info.readonly === true || model.options.setBy?.[field.name] !== undefined,
    stored: info.store === true,
    custom: info.manual === true,
    list: isListField(field),
    relation: text('relation'),
    relationType: target ? getModelGraphNames(target).type : null,
    relationField: text('relation_field'),
    modelField: text('model_field'),
    selection: buildOptions(field, info.selection as [string, string][] | undefined),
    groups: [...field.groups],
    translated: Boolean(info.translate),
    size: field.type === 'binary' ? limits.upload.fieldBytes : ((info.size as number | undefined) ?? null),
    digits: (info.digits as number[] | undefined) ?? null,
    currencyField: text('currency_field'),
    aggregator: text('aggregator'),
    searchable: info.searchable === true,
    sortable: info.sortable === true,
    groupable: info.groupable === true,
    exportable: info.exportable === true,
    conditions: buildConditions(model.options.shownFor?.[field.name]),
  };
}

function findVersionField(ctx: Ctx, model: Model): string | null {
  const field = model.fields.get(VERSION_FIELD);
  return (field && findGraphFieldNames(ctx, model).get(field)?.value) ?? null;
}

interface GraphFieldNames {
  value?: string;
  records?: string;
}

/** Maps each field to the names of the GraphQL fields that return its value and its related records. */
function findGraphFieldNames(ctx: Ctx, model: Model): Map<Field, GraphFieldNames> {
  const graphNames = new Map<Field, GraphFieldNames>();
  const type = ctx.runtime.getSchema(ctx.catalog.registry).getType(getModelGraphNames(model).type);
  // Handwritten types do not contain all fields.
  const graphFields = isObjectType(type) ? type.getFields() : {};
  for (const { name, role, field } of getOutputFields(ctx.catalog.registry, model).values()) {
    if (!field || !(name in graphFields)) continue;
    const names = graphNames.get(field) ?? {};
    graphNames.set(field, role === 'column' ? { ...names, value: name } : { ...names, records: name });
  }
  return graphNames;
}

function buildOptions(field: Field, selection: [string, string][] | undefined): OptionDetails[] | null {
  if (!selection) return null;
  const names = new Map(
    isEnum(field) ? [...buildFieldEnumNames(field)].map(([name, value]) => [value, name]) : [],
  );
  return selection.map(([value, label]) => ({ value, label, graphqlName: names.get(value) ?? null }));
}

function listGeneralOperations(schema: GraphQLSchema, model: Model): OperationDetails[] {
  const { one, many } = getModelGraphNames(model);
  const roots = [
    ['query', schema.getQueryType(), [one, many, `${one}Groups`]],
    [
      'mutation',
      schema.getMutationType(),
      [`${one}Create`, `${many}Create`, `${one}Update`, `${many}Update`, `${many}Delete`],
    ],
    ['subscription', schema.getSubscriptionType(), [`${one}Changed`]],
  ] as const;
  return roots.flatMap(([kind, type, names]) => {
    const fields = type?.getFields() ?? {};
    return names
      .filter((name) => name in fields && !operations.has(name))
      .map((field) => ({
        field,
        kind,
        method: null,
        description: fields[field]!.description ?? '',
        action: null,
      }));
  });
}

const listModelOperations = (ctx: Ctx, model: Model, language: LabelLanguage): OperationDetails[] =>
  [...operations.values()]
    .filter((operation) => operation.model === model.name && canCall(ctx, operation.policy))
    .map((operation) => ({
      field: operation.name,
      kind: operation.kind,
      method: operation.method,
      description: operation.description,
      action: buildFormAction(operation, language),
    }));

function buildFormAction(
  { model, method, formAction }: Operation,
  language: LabelLanguage,
): FormActionDetails | null {
  if (!formAction) return null;
  const { label, offeredFor, isPrimary = false, question, asks = {} } = formAction;
  const translate = (text: string) => translateLabel(language, `${model}.${method}`, text);
  return {
    label: translate(label),
    primary: isPrimary,
    question: question === undefined ? null : translate(question),
    arguments: Object.entries(asks).flatMap(([name, asked]) =>
      asked ? [{ name, label: translate(asked.label), relation: asked.relation ?? null }] : [],
    ),
    conditions: buildConditions(offeredFor),
  };
}

const buildConditions = (conditions: FieldConditions = {}): FieldConditionDetails[] =>
  Object.entries(conditions).map(([field, values]) => ({ field, values: values.map(String) }));
