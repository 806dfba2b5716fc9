import { getModel } from '../../src/engine/access/create-statement.ts';
import type { DocIndex, DocModel } from '../../src/engine/describe/doc.ts';
import { getLabelLanguage } from '../../src/engine/describe/labels.ts';
import { builder } from '../../src/engine/operation/builder.ts';
import { buildFieldDetails } from './model-description.ts';
import { FieldDescription, OperationKind } from './model-types.ts';

// GraphQL types of the documentation at `/doc`, whose JSON has objects keyed by name instead of lists.

type IndexedModel = DocIndex['models'][number];

const DocFieldLabel = builder.objectRef<{ name: string; label: string }>('DocFieldLabel').implement({
  description: 'A field in the documentation index.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Technical name.' }),
    label: t.exposeString('label', { description: 'Display name.' }),
  }),
});

const DocIndexModel = builder.objectRef<IndexedModel>('DocIndexModel').implement({
  description: 'A model in the documentation index.',
  fields: (t) => ({
    model: t.exposeString('model', { description: 'Technical name.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    fields: t.field({
      type: [DocFieldLabel],
      description: 'Fields that the caller may see.',
      resolve: ({ fields }) => Object.entries(fields).map(([name, { string: label }]) => ({ name, label })),
    }),
    methods: t.exposeStringList('methods', { description: 'Methods that the caller may call.' }),
  }),
});

export const DocIndexType = builder.objectRef<DocIndex>('DocIndex').implement({
  description: 'Index of the model documentation.',
  fields: (t) => ({
    modules: t.exposeStringList('modules', { description: 'Modules, each after its dependencies.' }),
    models: t.expose('models', { type: [DocIndexModel], description: 'Models that the caller may read.' }),
  }),
});

type DocMethodRow = DocModel['methods'][string];
type DocParameterRow = DocMethodRow['parameters'][string];

const DocParameter = builder.objectRef<DocParameterRow & { name: string }>('DocParameter').implement({
  description: 'A parameter of a method.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name in the record API.' }),
    annotation: t.exposeString('annotation', { description: 'Type, in Python notation.' }),
    required: t.boolean({
      description: 'True if a call must pass a value.',
      resolve: (parameter) => !('default' in parameter),
    }),
    default: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Default value.',
      resolve: (parameter) => parameter.default ?? null,
    }),
    doc: t.string({
      nullable: true,
      description: 'Explanation in HTML.',
      resolve: (parameter) => parameter.doc ?? null,
    }),
  }),
});

const DocError = builder.objectRef<[string, string]>('DocError').implement({
  description: 'An error that a method may raise.',
  fields: (t) => ({
    name: t.string({ description: 'Name of the error.', resolve: ([name]) => name }),
    doc: t.string({ description: 'When it is raised, in HTML.', resolve: ([, doc]) => doc }),
  }),
});

const DocRootArgument = builder.objectRef<[string, string]>('DocRootArgument').implement({
  description: 'An argument of a root field.',
  fields: (t) => ({
    name: t.string({ description: 'Name of the argument.', resolve: ([name]) => name }),
    type: t.string({ description: 'Type, in SDL notation.', resolve: ([, type]) => type }),
  }),
});

const DocRoot = builder.objectRef<NonNullable<DocMethodRow['graphql']>>('DocRoot').implement({
  description: 'The GraphQL root field that runs a method.',
  fields: (t) => ({
    kind: t.expose('kind', { type: OperationKind.ref, description: 'Root type of the field.' }),
    field: t.exposeString('field', { description: 'Name of the field.' }),
    arguments: t.field({
      type: [DocRootArgument],
      description: 'Arguments of the field.',
      resolve: (root) => Object.entries(root.arguments),
    }),
    select: t.exposeString('select', {
      description: 'Example selection; empty if the field has no subfields.',
    }),
  }),
});

const DocMethod = builder.objectRef<DocMethodRow & { name: string }>('DocMethod').implement({
  description: 'A method of a model in the record API.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the method.' }),
    signature: t.exposeString('signature', { description: 'Parameters and result, in Python notation.' }),
    parameters: t.field({
      type: [DocParameter],
      description: 'Parameters in positional order, without the ids.',
      resolve: (method) =>
        Object.entries(method.parameters).map(([name, parameter]) => ({ name, ...parameter })),
    }),
    returns: t.string({
      description: 'Type of the result, in Python notation.',
      resolve: (method) => method.return.annotation,
    }),
    onModel: t.boolean({
      description: 'True if the method takes no ids.',
      resolve: ({ api }) => api.includes('model'),
    }),
    readonly: t.boolean({
      description: 'True if the method never changes data.',
      resolve: ({ api }) => api.includes('readonly'),
    }),
    raises: t.field({
      type: [DocError],
      description: 'Errors that the method may raise.',
      resolve: (method) => Object.entries(method.raise),
    }),
    doc: t.exposeString('doc', { description: 'Description, in HTML.' }),
    model: t.exposeString('model', {
      description: 'Model that declares the method; `core` for methods of every model.',
    }),
    module: t.exposeString('module', { nullable: true, description: 'Module that declares the method.' }),
    graphql: t.field({
      type: DocRoot,
      nullable: true,
      description: 'The root field that runs the method, if requested with the argument `graphql`.',
      resolve: (method) => method.graphql ?? null,
    }),
  }),
});

export const DocModelType = builder.objectRef<DocModel>('DocModel').implement({
  description: 'Documentation of a model.',
  fields: (t) => ({
    model: t.exposeString('model', { description: 'Technical name.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    fields: t.field({
      type: [FieldDescription.ref],
      description: 'Fields that the caller may see.',
      resolve: ({ model }, _args, ctx) =>
        buildFieldDetails(ctx, getModel(ctx, model), null, getLabelLanguage(ctx)),
    }),
    methods: t.field({
      type: [DocMethod],
      description: 'Methods that the caller may call.',
      resolve: ({ methods }) => Object.entries(methods).map(([name, method]) => ({ name, ...method })),
    }),
  }),
});
