import type { Field } from '../../../src/engine/model/field.ts';
import { isListField, VERSION_FIELD } from '../../../src/engine/model/field.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import { getModelGraphNames } from '../../../src/engine/model/registry.ts';
import { IGNORED_FIELDS } from '../../../src/engine/write/values.ts';
import { limits } from '../../../src/limits.ts';
import { describeField, describeRelation, withArticle } from '../descriptions.ts';
import type { FieldDef, TypeDef } from './definition.ts';
import {
  findRelatedModel,
  getFieldName,
  getGraphFields,
  getRelationName,
  getTypeName,
  getUploadName,
} from './names.ts';
import { findUniqueFields } from './records.ts';
import { getKeyField, getValueType } from './values.ts';

/** Models that no group may change by default, such as logs, have no mutations. */
const isChangeable = ({ customId, options: { graph, access } }: Model): boolean =>
  graph?.writes !== false &&
  !graph?.prisma &&
  (customId !== null || Object.values(access).some((letters) => /[cwu]/.test(letters)));

/** Ignores access rights, which are checked in each call. */
function isInputField(model: Model, field: Field): boolean {
  if (IGNORED_FIELDS.has(field.name) || field.name === getKeyField(model) || field.secret) return false;
  if (model.options.accepts?.includes(field.name)) return true;
  if (field.readonly || field.related || field.computed || field.thread) return false;
  return !isListField(field) || field.join !== undefined || field.inverse !== undefined;
}

export type InputKind = 'create' | 'update';

/** @param without field that links to the parent; excluded for records created together with it */
export function buildInputFields(
  registry: Registry,
  model: Model,
  operation: InputKind,
  without?: string,
): FieldDef[] {
  const fields = [...model.fields.values()].filter(
    (field) => isInputField(model, field) && field.name !== without,
  );
  return findUniqueFields([
    ...fields.flatMap((field) => buildInputField(registry, model, field, operation) ?? []),
    ...fields
      .filter((field) => field.type === 'binary' && !field.kept)
      .map((field) => defineUploadField(model, field)),
  ]);
}

/** An upload's id is an alternative to the file's content. */
const defineUploadField = (model: Model, field: Field): FieldDef => ({
  name: getUploadName(getFieldName(model, field)),
  type: 'ID',
  about:
    `Id of your upload, at most ${limits.upload.fieldBytes / 1_000_000} MB, that becomes the file in ` +
    `\`${getFieldName(model, field)}\` and is then deleted.`,
  field,
  isUpload: true,
});

function buildInputField(
  registry: Registry,
  model: Model,
  field: Field,
  operation: InputKind,
): FieldDef | undefined {
  if (isListField(field)) return buildListField(registry, model, field, operation);
  const type = field.type === 'binary' ? 'Bytes' : getValueType(model, field);
  // A file's content can come from an upload instead.
  const isNeeded = operation === 'create' && field.type !== 'binary' && isRequired(model, field);
  return {
    name: getFieldName(model, field),
    type: isNeeded ? `${type}!` : type,
    about: describeField(field),
    field,
  };
}

/** Types whose unset value is zero or false. Callers may omit required fields of these types. */
const ZEROED_TYPES: ReadonlySet<string> = new Set(['integer', 'float', 'monetary', 'boolean']);

const isRequired = ({ options: { defaults, completes } }: Model, field: Field): boolean =>
  field.required &&
  !field.hasDefault &&
  !ZEROED_TYPES.has(field.type) &&
  !field.related &&
  !(defaults && field.name in defaults) &&
  !completes?.includes(field.name);

function buildListField(
  registry: Registry,
  model: Model,
  field: Field,
  operation: InputKind,
): FieldDef | undefined {
  const target = findRelatedModel(registry, field);
  if (!target) return undefined;
  const base = { name: getRelationName(model, field), about: describeRelation(field), field };
  const end = operation === 'create' ? 'CreateInput' : 'UpdateInput';
  if (field.join) return { ...base, type: `${getTypeName(target)}Links${end}`, links: 'links' };
  // Child records of a model with dedicated operations can be changed only through these operations.
  if (!isChangeable(target)) return undefined;
  return { ...base, type: `${getLinesName(model, field)}${end}`, links: 'lines' };
}

const getLinesName = (model: Model, field: Field): string => {
  const name = getRelationName(model, field);
  // The suffix avoids name collisions, because no model name ends with it. Otherwise, the list `fields` of `ir.model`
  // would have the name of `ir.model.fields`.
  return `${getTypeName(model)}${name[0]!.toUpperCase()}${name.slice(1)}List`;
};

export function buildInputDefs(model: Model): TypeDef[] {
  const links = buildLinkTypes(model);
  if (!isChangeable(model)) return links;
  const type = getTypeName(model);
  return [
    buildInputDef(model, 'create', `${type}CreateInput`, `Values of a new \`${type}\`.`),
    buildInputDef(
      model,
      'update',
      `${type}UpdateInput`,
      `Changes to ${withArticle(type)}. Omitted fields keep their values; null clears a value.`,
    ),
    {
      kind: 'input',
      name: `${type}ChangeInput`,
      about: `Changes to one \`${type}\` record of a list.`,
      fields: () => [
        { name: 'id', type: 'ID!', about: 'Id of the record.' },
        { name: 'input', type: `${type}UpdateInput!`, about: 'Changes to the record.' },
      ],
    },
    ...links,
    ...getUniqueLists(model).flatMap((field) => buildLineTypes(model, field)),
  ];
}

/** If several list fields have the same name, the first is used. */
const getUniqueLists = (model: Model): Field[] => [
  ...new Map(
    getGraphFields(model)
      .filter(isListField)
      .reverse()
      .map((field) => [getRelationName(model, field), field]),
  ).values(),
];

const buildInputDef = (model: Model, operation: InputKind, name: string, about: string): TypeDef => ({
  kind: 'input',
  name,
  about,
  fields: (registry) => {
    const fields = buildInputFields(registry, registry.get(model.name)!, operation);
    // GraphQL does not allow empty input types.
    return fields.length > 0 ? fields : [NOTHING_FIELD];
  },
});

const NOTHING_FIELD: FieldDef = {
  name: 'nothing',
  type: 'Boolean',
  about: 'Not used, because callers cannot set any field of this model.',
};

const defineIds = (name: string, about: string): FieldDef => ({ name, type: '[ID!]', about });

function buildLinkTypes(model: Model): TypeDef[] {
  const type = getTypeName(model);
  const fields = (): FieldDef[] => [
    defineIds('connect', 'Ids of records to link.'),
    ...(isChangeable(model)
      ? [{ name: 'create', type: `[${type}CreateInput!]`, about: 'Records to create and link.' }]
      : []),
  ];
  return [
    { kind: 'input', name: `${type}LinksCreateInput`, about: `\`${type}\` records to link.`, fields },
    {
      kind: 'input',
      name: `${type}LinksUpdateInput`,
      about: `Changes to a list of linked \`${type}\` records, applied in the order of these fields.`,
      fields: () => [
        defineIds('set', 'Ids of the records to link. All other records are unlinked.'),
        defineIds('disconnect', 'Ids of records to unlink.'),
        ...fields(),
      ],
    },
  ];
}

/** Builds the inputs for a one2many's records, which are created, changed and deleted with their parent. */
export function buildLineTypes(model: Model, field: Field): TypeDef[] {
  if (field.type !== 'one2many' || !isInputField(model, field) || !field.inverse || !field.relation)
    return [];
  const name = getLinesName(model, field);
  const getTarget = (registry: Registry) => registry.get(field.relation!)!;
  const create = { name: 'create', type: `[${name}NewInput!]`, about: 'Records to create.' };
  const canDetachLines = (registry: Registry) => isDetachable(getTarget(registry).fields.get(field.inverse!));
  const connect = defineIds('connect', 'Ids of existing records to move to this list.');
  return [
    {
      kind: 'input',
      name: `${name}NewInput`,
      about: `A new record in \`${getRelationName(model, field)}\` of ${withArticle(getTypeName(model))}.`,
      fields: (registry) => {
        const fields = buildInputFields(registry, getTarget(registry), 'create', field.inverse);
        return fields.length > 0 ? fields : [NOTHING_FIELD];
      },
    },
    {
      kind: 'input',
      name: `${name}CreateInput`,
      about: `The \`${getRelationName(model, field)}\` of a new \`${getTypeName(model)}\`.`,
      fields: (registry) => [...(canDetachLines(registry) ? [connect] : []), create],
    },
    {
      kind: 'input',
      name: `${name}UpdateInput`,
      about:
        `Changes to the \`${getRelationName(model, field)}\` of ${withArticle(getTypeName(model))}, ` +
        'applied in the order of these fields.',
      fields: (registry) => [
        ...(canDetachLines(registry)
          ? [
              defineIds(
                'set',
                'Ids of the records that the list should contain. All other records are detached from it.',
              ),
              defineIds('disconnect', 'Ids of records to detach from this list without deleting them.'),
              connect,
            ]
          : []),
        defineIds('delete', 'Ids of records to delete.'),
        {
          name: 'update',
          type: `[${getTypeName(getTarget(registry))}ChangeInput!]`,
          about: 'Records to change.',
        },
        create,
      ],
    },
  ];
}

/** Returns true if the list's records can exist without their parent: the link is neither required nor cascading. */
const isDetachable = (inverse: Field | undefined): boolean =>
  inverse !== undefined && !inverse.required && inverse.onDelete !== 'cascade' && !inverse.readonly;

export const DELETED_RECORDS_TYPE: TypeDef = {
  kind: 'object',
  name: 'DeletedRecords',
  about: 'Records deleted by a mutation.',
  fields: () => [
    { name: 'ids', type: '[ID!]!', about: 'Ids of the deleted records.' },
    { name: 'count', type: 'Int!', about: 'Number of deleted records.' },
  ],
};

const MAX_WRITES_NOTE = `At most ${limits.graphql.writes}.`;

const ID_ARGUMENT = { name: 'id', type: 'ID!', about: 'Record id.' };

const EXPECT_COUNT_ARGUMENT = {
  name: 'expectCount',
  type: 'Int',
  about: 'Expected number of records. If the actual number differs, nothing is changed.',
};

const getVersionArgument = (model: Model, type: string, about: string) =>
  model.fields.has(VERSION_FIELD) ? [{ name: 'expectedVersion', type, about }] : [];

const STALE_NOTE = 'If another change was made since, nothing is changed (`STALE`).';

const UNDO_TOKEN_ARGUMENT = {
  name: 'undoToken',
  type: 'String',
  about:
    'A token of your choice for the change, such as a random string. `recordsUndo` can undo the change for ' +
    `${limits.record.undoMinutes} minutes. Several changes can share a token.`,
};

export function buildWriteRoots(model: Model): FieldDef[] {
  if (!isChangeable(model)) return [];
  const { type, one, many } = getModelGraphNames(model);
  const message = { model: model.name };
  const selection = buildSelectionArguments(type);
  const input = (kind: string, list = false) => ({
    name: list ? 'inputs' : 'input',
    type: list ? `[${type}${kind}Input!]!` : `${type}${kind}Input!`,
    about: list ? `Values of the records. ${MAX_WRITES_NOTE}` : 'Values of the record.',
  });
  return [
    {
      name: `${one}Create`,
      type: `${type}!`,
      about: `Creates one \`${type}\` record.`,
      args: [input('Create')],
      role: 'createOne',
      ...message,
    },
    {
      name: `${many}Create`,
      type: `[${type}!]!`,
      about: `Creates \`${type}\` records, all or none.`,
      args: [input('Create', true)],
      role: 'createMany',
      ...message,
    },
    {
      name: `${one}Update`,
      type: `${type}!`,
      about: `Updates one \`${type}\` record.`,
      args: [
        ID_ARGUMENT,
        input('Update'),
        ...getVersionArgument(model, 'Int', `\`version\` of the record when you read it. ${STALE_NOTE}`),
      ],
      role: 'updateOne',
      ...message,
    },
    {
      name: `${many}Update`,
      type: `[${type}!]!`,
      about: `Updates \`${type}\` records with the same values, all or none.`,
      args: [
        ...selection,
        input('Update'),
        EXPECT_COUNT_ARGUMENT,
        ...getVersionArgument(
          model,
          '[Int!]',
          `\`version\` of each record when you read it, in the order of \`ids\`. ${STALE_NOTE}`,
        ),
        UNDO_TOKEN_ARGUMENT,
      ],
      role: 'updateMany',
      ...message,
    },
    {
      name: `${one}Delete`,
      type: 'DeletedRecords!',
      about: `Deletes one \`${type}\` record.`,
      args: [ID_ARGUMENT],
      role: 'deleteOne',
      ...message,
    },
    {
      name: `${many}Delete`,
      type: 'DeletedRecords!',
      about: `Deletes \`${type}\` records, all or none.`,
      args: [...selection, EXPECT_COUNT_ARGUMENT],
      role: 'deleteMany',
      ...message,
    },
  ];
}

const buildSelectionArguments = (type: string) => [
  { name: 'ids', type: '[ID!]', about: `Ids of the records. ${MAX_WRITES_NOTE}` },
  {
    name: 'where',
    type: `${type}Where`,
    about:
      `Conditions that select the records, instead of \`ids\`. ${MAX_WRITES_NOTE} ` +
      'Rejected if any part is empty, matches every record or uses a variable without a value.',
  },
  {
    name: 'all',
    type: 'Boolean',
    about: `True to select all records, instead of \`ids\` and \`where\`. ${MAX_WRITES_NOTE}`,
  },
];
