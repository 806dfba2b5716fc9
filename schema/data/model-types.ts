import { canAccessModel } from '../../src/engine/access/access.ts';
import type { Field } from '../../src/engine/model/field.ts';
import { builder } from '../../src/engine/operation/builder.ts';
import { defineEnumShape, defineTypedShape, type ValueOf } from '../../src/engine/operation/shape.ts';

const FieldType = defineEnumShape<Field['type']>('FieldType', 'Type of a field in the record API.', {
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
});

const SelectionOption = defineTypedShape('SelectionOption', 'An option of a selection field.', {
  value: { type: 'String', description: 'Value in the record API.' },
  label: { type: 'String', description: "Label in the caller's language." },
  graphqlName: {
    type: 'String',
    nullable: true,
    description: 'Name in the GraphQL enum of the field. Null if the field is not an enum in GraphQL.',
  },
});

export type OptionDetails = ValueOf<typeof SelectionOption>;

const FieldCondition = defineTypedShape(
  'FieldCondition',
  'A condition on a selection or boolean field of a record.',
  {
    field: { type: 'String', description: 'Technical name of the field.' },
    values: {
      type: ['String'],
      description: 'Accepted values in the record API. A boolean is `true` or `false`.',
    },
  },
);

export type FieldConditionDetails = ValueOf<typeof FieldCondition>;

export const FieldDescription = defineTypedShape('FieldDescription', 'A field of a model.', {
  name: { type: 'String', description: 'Technical name, such as `partner_id`.' },
  graphqlName: {
    type: 'String',
    nullable: true,
    description:
      'Field of the record type that holds the value. Null if the record type does not expose the value.',
  },
  relationName: {
    type: 'String',
    nullable: true,
    description: 'Field of the record type that holds the related record or records.',
  },
  type: { type: FieldType, description: 'Type of the value.' },
  label: { type: 'String', description: 'Label for forms and columns.' },
  help: { type: 'String', nullable: true, description: 'Help text for forms.' },
  required: { type: 'Boolean', description: 'True if a new record requires a value.' },
  readonly: { type: 'Boolean', description: 'True if the value cannot be set.' },
  stored: { type: 'Boolean', description: 'False if the value is computed when it is read.' },
  custom: { type: 'Boolean', description: 'True if the workspace added the field.' },
  list: { type: 'Boolean', description: 'True if the field refers to several records.' },
  relation: { type: 'String', nullable: true, description: 'Model that the field refers to.' },
  relationType: { type: 'String', nullable: true, description: 'GraphQL type of the related records.' },
  relationField: {
    type: 'String',
    nullable: true,
    description: 'Field of the related records that refers back to this record.',
  },
  modelField: {
    type: 'String',
    nullable: true,
    description: 'Field that contains the model of the related record.',
  },
  selection: {
    type: [SelectionOption],
    nullable: true,
    description: 'Options of a selection field, in order.',
  },
  groups: {
    type: ['String'],
    description: 'External ids of the groups that may see the field. Empty if everyone may see it.',
  },
  translated: { type: 'Boolean', description: 'True if each language has its own value.' },
  size: {
    type: 'Int',
    nullable: true,
    description: 'Maximum length in characters. For file fields, maximum upload size in bytes.',
  },
  digits: {
    type: ['Int'],
    nullable: true,
    description: 'Number of significant digits, followed by the number of digits after the decimal point.',
  },
  currencyField: {
    type: 'String',
    nullable: true,
    description: 'Field that contains the currency of the amount.',
  },
  aggregator: {
    type: 'String',
    nullable: true,
    description: 'Aggregate function for groups, such as `sum`.',
  },
  searchable: { type: 'Boolean', description: 'True if conditions can use the field.' },
  sortable: { type: 'Boolean', description: 'True if lists can be sorted by the field.' },
  groupable: { type: 'Boolean', description: 'True if records can be grouped by the field.' },
  exportable: { type: 'Boolean', description: 'True if exports can contain the field.' },
  conditions: {
    type: [FieldCondition],
    description: 'Forms show the field for records that match all of these conditions.',
  },
});

export type FieldDetails = ValueOf<typeof FieldDescription>;

const ModelAccess = defineTypedShape(
  'ModelAccess',
  "The caller's access to a model's records. Record rules may restrict it further.",
  {
    read: { type: 'Boolean', description: 'Read records.' },
    create: { type: 'Boolean', description: 'Create records.' },
    update: { type: 'Boolean', description: 'Change records.' },
    delete: { type: 'Boolean', description: 'Delete records.' },
  },
);

export const OperationKind = defineEnumShape('OperationKind', 'Root type that a field belongs to.', {
  query: 'Field of `Query`.',
  mutation: 'Field of `Mutation`.',
  subscription: 'Field of `Subscription`.',
});

const AskedArgument = defineTypedShape(
  'AskedArgument',
  'An optional argument of an operation that a form asks for.',
  {
    name: { type: 'String', description: 'Name of the argument.' },
    label: { type: 'String', description: 'Label in the requested language.' },
    relation: {
      type: 'String',
      nullable: true,
      description: 'Model of the record to choose; the argument is its id. Null for a text.',
    },
  },
);

const FormAction = defineTypedShape(
  'FormAction',
  'A button that runs an operation from the form of a record.',
  {
    label: { type: 'String', description: 'Label of the button.' },
    primary: { type: 'Boolean', description: 'True if the operation is the usual next step.' },
    question: {
      type: 'String',
      nullable: true,
      description: 'Question that a person must confirm first. Null if the operation needs no confirmation.',
    },
    arguments: { type: [AskedArgument], description: 'Arguments to ask for before running the operation.' },
    conditions: {
      type: [FieldCondition],
      description: 'The action is offered for records that match all of these conditions.',
    },
  },
);

export type FormActionDetails = ValueOf<typeof FormAction>;

const ModelOperation = defineTypedShape('ModelOperation', 'An operation on records of a model.', {
  field: { type: 'String', description: 'Root field, such as `crmLeadMarkWon`.' },
  kind: { type: OperationKind, description: 'Root type of the field.' },
  method: {
    type: 'String',
    nullable: true,
    description: 'Record API method that runs the operation. Null if the operation has no method.',
  },
  description: { type: 'String', description: 'Description of the operation.' },
  action: {
    type: FormAction,
    nullable: true,
    description:
      'Button that passes the id of a record as `ids` and no other argument. Null if forms do not offer the ' +
      'operation.',
  },
});

export type OperationDetails = ValueOf<typeof ModelOperation>;

export const ModelDescription = defineTypedShape(
  'ModelDescription',
  'A model as visible to the caller, with everything needed to show and edit its records.',
  {
    name: { type: 'String', description: 'Technical name, such as `crm.lead`.' },
    label: { type: 'String', description: 'Display name.' },
    pluralLabel: { type: 'String', description: "Title for lists of the model's records." },
    typeName: { type: 'String', description: 'GraphQL type of the records.' },
    queryField: { type: 'String', nullable: true, description: 'Root field that returns one record.' },
    listField: { type: 'String', nullable: true, description: 'Root field that lists records.' },
    groupField: { type: 'String', nullable: true, description: 'Root field that groups records.' },
    displayField: {
      type: 'String',
      nullable: true,
      description: 'Field that display names are derived from.',
    },
    mainFields: {
      type: ['String'],
      description: 'Names of the fields that summarize a record, most important first.',
    },
    versionField: {
      type: 'String',
      nullable: true,
      description:
        "GraphQL field that contains a record's version, to pass as `expectedVersion`. Null if the records " +
        'have no versions.',
    },
    custom: { type: 'Boolean', description: 'True if the workspace added the model.' },
    access: { type: ModelAccess, description: "The caller's access to the records." },
    fields: { type: [FieldDescription], description: 'Fields that the caller may see.' },
    operations: { type: [ModelOperation], description: 'Operations that the caller may run on the records.' },
  },
);

export type ModelDetails = ValueOf<typeof ModelDescription>;

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
