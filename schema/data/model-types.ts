import { canAccessModel } from '../../src/engine/access/access.ts';
import type { AccessKind } from '../../src/engine/model/access-kind.ts';
import type { Field } from '../../src/engine/model/field.ts';
import { builder } from '../../src/engine/operation/builder.ts';
import { buildEnumNames } from '../graph/plan/names.ts';
import type {
  AskedArgumentDetails,
  FieldConditionDetails,
  FieldDetails,
  FormActionDetails,
  ModelDetails,
  OperationDetails,
  OptionDetails,
} from './model-description.ts';

const toEnumValues = (described: Record<string, string>) =>
  Object.fromEntries(
    [...buildEnumNames(Object.keys(described).map((value) => [value]))].map(([name, value]) => [
      name,
      { value, description: described[value]! },
    ]),
  );

const FIELD_TYPES: Record<Field['type'], string> = {
  char: 'Single-line text.',
  text: 'Multi-line text.',
  html: 'Formatted text.',
  integer: 'Whole number.',
  float: 'Number.',
  monetary: 'Amount in the currency of `currencyField`.',
  boolean: 'True or false.',
  date: 'Day.',
  datetime: 'Point in time.',
  binary: 'Content of a file.',
  selection: 'One of the values of `selection`.',
  reference: 'A record of any model, as `model,id`.',
  many2one_reference: 'Id of a record of the model that `modelField` names.',
  json: 'Any JSON value.',
  strings: 'List of strings.',
  properties: 'Values of properties, defined on a related record.',
  properties_definition: 'Definitions of properties.',
  many2one: 'A record of the model `relation`.',
  one2many: 'Records of the model `relation` that belong to this one.',
  many2many: 'Records of the model `relation`.',
};

const FieldTypeEnum = builder.enumType('FieldType', {
  description: 'Type of a field in the record API.',
  values: toEnumValues(FIELD_TYPES) as Record<string, { value: Field['type']; description: string }>,
});

const SelectionOption = builder.objectRef<OptionDetails>('SelectionOption').implement({
  description: 'An option of a selection field.',
  fields: (t) => ({
    value: t.exposeString('value', { description: 'Value in the record API.' }),
    label: t.exposeString('label', { description: "Label in the caller's language." }),
    graphqlName: t.exposeString('graphqlName', {
      nullable: true,
      description: 'Name in the GraphQL enum of the field. Null if the field is not an enum in GraphQL.',
    }),
  }),
});

const FieldCondition = builder.objectRef<FieldConditionDetails>('FieldCondition').implement({
  description: 'A condition on a selection or boolean field of a record.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Technical name of the field.' }),
    values: t.exposeStringList('values', {
      description: 'Accepted values in the record API. A boolean is `true` or `false`.',
    }),
  }),
});

export const FieldDescription = builder.objectRef<FieldDetails>('FieldDescription').implement({
  description: 'A field of a model.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Technical name, such as `partner_id`.' }),
    graphqlName: t.exposeString('graphqlName', {
      nullable: true,
      description:
        'Field of the record type that holds the value. Null if the record type does not expose the value.',
    }),
    relationName: t.exposeString('relationName', {
      nullable: true,
      description: 'Field of the record type that holds the related record or records.',
    }),
    type: t.expose('type', { type: FieldTypeEnum, description: 'Type of the value.' }),
    label: t.exposeString('label', { description: 'Label for forms and columns.' }),
    help: t.exposeString('help', { nullable: true, description: 'Help text for forms.' }),
    required: t.exposeBoolean('required', { description: 'True if a new record requires a value.' }),
    readonly: t.exposeBoolean('readonly', { description: 'True if the value cannot be set.' }),
    stored: t.exposeBoolean('stored', { description: 'False if the value is computed when it is read.' }),
    custom: t.exposeBoolean('custom', { description: 'True if the workspace added the field.' }),
    list: t.exposeBoolean('list', { description: 'True if the field refers to several records.' }),
    relation: t.exposeString('relation', { nullable: true, description: 'Model that the field refers to.' }),
    relationType: t.exposeString('relationType', {
      nullable: true,
      description: 'GraphQL type of the related records.',
    }),
    relationField: t.exposeString('relationField', {
      nullable: true,
      description: 'Field of the related records that refers back to this record.',
    }),
    modelField: t.exposeString('modelField', {
      nullable: true,
      description: 'Field that contains the model of the related record.',
    }),
    selection: t.field({
      type: [SelectionOption],
      nullable: true,
      description: 'Options of a selection field, in order.',
      resolve: (field) => field.selection,
    }),
    groups: t.exposeStringList('groups', {
      description: 'External ids of the groups that may see the field. Empty if everyone may see it.',
    }),
    translated: t.exposeBoolean('translated', { description: 'True if each language has its own value.' }),
    size: t.exposeInt('size', {
      nullable: true,
      description: 'Maximum length in characters. For file fields, maximum upload size in bytes.',
    }),
    digits: t.exposeIntList('digits', {
      nullable: true,
      description: 'Number of significant digits, followed by the number of digits after the decimal point.',
    }),
    currencyField: t.exposeString('currencyField', {
      nullable: true,
      description: 'Field that contains the currency of the amount.',
    }),
    aggregator: t.exposeString('aggregator', {
      nullable: true,
      description: 'Aggregate function for groups, such as `sum`.',
    }),
    searchable: t.exposeBoolean('searchable', { description: 'True if conditions can use the field.' }),
    sortable: t.exposeBoolean('sortable', { description: 'True if lists can be sorted by the field.' }),
    groupable: t.exposeBoolean('groupable', { description: 'True if records can be grouped by the field.' }),
    exportable: t.exposeBoolean('exportable', { description: 'True if exports can contain the field.' }),
    conditions: t.expose('conditions', {
      type: [FieldCondition],
      description: 'Forms show the field for records that match all of these conditions.',
    }),
  }),
});

const ModelAccess = builder.objectRef<Record<AccessKind, boolean>>('ModelAccess').implement({
  description: "The caller's access to a model's records. Record rules may restrict it further.",
  fields: (t) => ({
    read: t.exposeBoolean('read', { description: 'Read records.' }),
    create: t.exposeBoolean('create', { description: 'Create records.' }),
    update: t.exposeBoolean('write', { description: 'Change records.' }),
    delete: t.exposeBoolean('unlink', { description: 'Delete records.' }),
  }),
});

export const OperationKind = builder.enumType('OperationKind', {
  description: 'Root type that a field belongs to.',
  values: {
    QUERY: { value: 'query', description: 'Field of `Query`.' },
    MUTATION: { value: 'mutation', description: 'Field of `Mutation`.' },
    SUBSCRIPTION: { value: 'subscription', description: 'Field of `Subscription`.' },
  } as const,
});

const AskedArgument = builder.objectRef<AskedArgumentDetails>('AskedArgument').implement({
  description: 'An optional argument of an operation that a form asks for.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the argument.' }),
    label: t.exposeString('label', { description: 'Label in the requested language.' }),
    relation: t.exposeString('relation', {
      nullable: true,
      description: 'Model of the record to choose; the argument is its id. Null for a text.',
    }),
  }),
});

const FormAction = builder.objectRef<FormActionDetails>('FormAction').implement({
  description: 'A button that runs an operation from the form of a record.',
  fields: (t) => ({
    label: t.exposeString('label', { description: 'Label of the button.' }),
    primary: t.exposeBoolean('primary', { description: 'True if the operation is the usual next step.' }),
    question: t.exposeString('question', {
      nullable: true,
      description: 'Question that a person must confirm first. Null if the operation needs no confirmation.',
    }),
    arguments: t.expose('arguments', {
      type: [AskedArgument],
      description: 'Arguments to ask for before running the operation.',
    }),
    conditions: t.expose('conditions', {
      type: [FieldCondition],
      description: 'The action is offered for records that match all of these conditions.',
    }),
  }),
});

const ModelOperation = builder.objectRef<OperationDetails>('ModelOperation').implement({
  description: 'An operation on records of a model.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Root field, such as `crmLeadMarkWon`.' }),
    kind: t.expose('kind', { type: OperationKind, description: 'Root type of the field.' }),
    method: t.exposeString('method', {
      nullable: true,
      description: 'Record API method that runs the operation. Null if the operation has no method.',
    }),
    description: t.exposeString('description', { description: 'Description of the operation.' }),
    action: t.expose('action', {
      type: FormAction,
      nullable: true,
      description:
        'Button that passes the id of a record as `ids` and no other argument. Null if forms do not offer the ' +
        'operation.',
    }),
  }),
});

export const ModelDescription = builder.objectRef<ModelDetails>('ModelDescription').implement({
  description: 'A model as visible to the caller, with everything needed to show and edit its records.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Technical name, such as `crm.lead`.' }),
    label: t.exposeString('label', { description: 'Display name.' }),
    pluralLabel: t.exposeString('pluralLabel', { description: "Title for lists of the model's records." }),
    typeName: t.exposeString('typeName', { description: 'GraphQL type of the records.' }),
    queryField: t.exposeString('queryField', {
      nullable: true,
      description: 'Root field that returns one record.',
    }),
    listField: t.exposeString('listField', { nullable: true, description: 'Root field that lists records.' }),
    groupField: t.exposeString('groupField', {
      nullable: true,
      description: 'Root field that groups records.',
    }),
    displayField: t.exposeString('displayField', {
      nullable: true,
      description: 'Field that display names are derived from.',
    }),
    mainFields: t.exposeStringList('mainFields', {
      description: 'Names of the fields that summarize a record, most important first.',
    }),
    versionField: t.exposeString('versionField', {
      nullable: true,
      description:
        "GraphQL field that contains a record's version, to pass as `expectedVersion`. Null if the records " +
        'have no versions.',
    }),
    custom: t.exposeBoolean('custom', { description: 'True if the workspace added the model.' }),
    access: t.expose('access', { type: ModelAccess, description: "The caller's access to the records." }),
    fields: t.expose('fields', { type: [FieldDescription], description: 'Fields that the caller may see.' }),
    operations: t.expose('operations', {
      type: [ModelOperation],
      description: 'Operations that the caller may run on the records.',
    }),
  }),
});

export const ModelName = builder
  .objectRef<{ model: string; name: string; pluralName: string }>('ModelName')
  .implement({
    description: 'Names of a model.',
    fields: (t) => ({
      model: t.exposeString('model', { description: 'Technical name, such as `crm.lead`.' }),
      name: t.exposeString('name', { description: 'Display name.' }),
      pluralName: t.exposeString('pluralName', { description: "Title for lists of the model's records." }),
      module: t.string({
        nullable: true,
        description: 'App or platform module that the model belongs to. Null for a custom model.',
        resolve: ({ model }, _args, ctx) => ctx.catalog.registry.get(model)?.module ?? null,
      }),
      canCreate: t.boolean({
        description: 'True if you may create records of the model.',
        resolve({ model: name }, _args, ctx) {
          const model = ctx.catalog.registry.get(name);
          return model !== undefined && canAccessModel(ctx, model, 'create');
        },
      }),
    }),
  });
