import { type GraphQLType, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { getOutputFields } from '../../schema/graph/plan/field-map.ts';
import { buildProduct } from '../../schema/index.ts';
import type { Field } from '../../src/engine/model/field.ts';
import { getModelGraphNames } from '../../src/engine/model/registry.ts';

const { schema, registry } = buildProduct();

/** A field, an argument or an input field of the schema: `Type.field`, `Type.field(argument)`. */
interface JsonPosition {
  at: string;
  name: string;
  type: string;
  kind: 'field' | 'argument' | 'input';
}

const buildPosition = (
  at: string,
  kind: JsonPosition['kind'],
  { name, type }: { name: string; type: GraphQLType },
): JsonPosition => ({
  at,
  name,
  kind,
  type: getNamedType(type).name,
});

const places = Object.values(schema.getTypeMap())
  .filter((type) => !type.name.startsWith('__'))
  .flatMap((type): JsonPosition[] => {
    if (isInputObjectType(type))
      return Object.values(type.getFields()).map((field) =>
        buildPosition(`${type.name}.${field.name}`, 'input', field),
      );
    if (!isObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) => [
      buildPosition(`${type.name}.${field.name}`, 'field', field),
      ...field.args.map((arg) => buildPosition(`${type.name}.${field.name}(${arg.name})`, 'argument', arg)),
    ]);
  });

const VALUES = 'values of records of a model that the caller names at run time';
const DOMAIN = 'a condition in the notation of the record API, nested lists of any depth';
const SPECIFICATION = 'fields of a model that the caller names at run time, nested';
const VIEWS =
  'views with fields of a model that the caller names at run time, as web clients of classic RPC take them';
const OWN = 'content of the caller, which the product keeps as it is';

const SETTING = 'true, false, a number or a text, as the type of the setting says';

const LISTED =
  'what the lists of a model that the caller names at run time take, checked against their types';

/** Positions where only JSON fits, with the reason. */
const REASONS: Record<string, string> = {
  'MailUndoCall.arguments': 'arguments of one of several methods, as that method takes them',
  'SavedViewInput.where': LISTED,
  'SavedViewInput.orderBy': LISTED,
  'SavedViewInput.groupBy': LISTED,
  'SavedViewInput.state': OWN,
  'UiState.values': OWN,
  'Mutation.uiStateSave(values)': OWN,
  'Query.recordRead': VALUES,
  'Query.recordSearchRead': VALUES,
  'Query.recordDefaultGet': VALUES,
  'Query.recordCopyData': VALUES,
  'Query.recordOnchange': VALUES,
  'Query.recordWebRead': VALUES,
  'Query.recordWebSearchRead': VALUES,
  'Query.recordWebNameSearch': VALUES,
  'Query.recordFormattedReadGroup': VALUES,
  'Query.recordFormattedReadGroupingSets': VALUES,
  'Query.recordReadGroup': VALUES,
  'Mutation.recordWebSave': VALUES,
  'Mutation.recordWebResequence': VALUES,
  'Query.recordOnchange(values)': VALUES,
  'Query.recordCopyData(default)': VALUES,
  'Mutation.recordCreate(valsList)': VALUES,
  'Mutation.recordWrite(vals)': VALUES,
  'Mutation.recordCopy(default)': VALUES,
  'Mutation.recordWebSave(vals)': VALUES,
  'Mutation.recordLoad(data)': VALUES,
  'Mutation.userWrite(vals)': VALUES,
  'Mutation.productCopy(default)': VALUES,
  'Query.recordFormattedReadGroup(having)': DOMAIN,
  'Query.recordFormattedReadGroupingSets(groupingSets)': 'a list of lists of field names',
  'Query.recordOnchange(fieldsSpec)': SPECIFICATION,
  'Query.recordWebRead(specification)': SPECIFICATION,
  'Query.recordWebSearchRead(specification)': SPECIFICATION,
  'Query.recordWebNameSearch(specification)': SPECIFICATION,
  'Mutation.recordWebSave(specification)': SPECIFICATION,
  'Mutation.recordWebResequence(specification)': SPECIFICATION,
  'Mutation.recordTranslate(translations)': 'texts by language code',
  'Mutation.recordMessagePost(attachments)': 'pairs of a name and content, as classic RPC sends them',
  'Query.recordWebReadGroup': VALUES,
  'Query.recordWebReadGroup(openingInfo)': 'which groups to open, nested as the groups are',
  'Query.recordWebReadGroup(unfoldReadSpecification)': SPECIFICATION,
  'Query.recordWebReadGroup(groupbyReadSpecification)': SPECIFICATION,
  'Query.recordGetViews': VIEWS,
  'Query.recordGetViews(views)': 'pairs of an id and a type, as classic RPC sends them',
  'Query.recordGetViews(options)': 'what web clients of classic RPC send along',
  'Query.recordGetView': VIEWS,
  'Query.parameterGet(default)': OWN,
  'AppSetting.value': SETTING,
  'AppSetting.default': SETTING,
  'Mutation.appSettingSet(value)': SETTING,
  'Mutation.parameterSet(value)': 'a text, a number, or false for none, as classic RPC sends it',
  'ExportedTable.rows': VALUES,
  'LoadMessage.moreInfo': 'facts for an import assistant, whose shape depends on the message',
  'DocParameter.default': 'a value of the type of the parameter',
  'ExplainedRule.domain': DOMAIN,
  'LiveTopic.domain': DOMAIN,
  // Email, contacts, campaigns, webhooks.
  'ContactBookInput.properties': OWN,
  'ContactInput.properties': OWN,
  'ContactChange.properties': OWN,
  'EmailInput.variables': OWN,
  'EmailInput.headers': OWN,
  'EmailInput.tags': OWN,
  'EmailInput.metadata': OWN,
  'TemplateInput.variables': OWN,
  'Query.templatePreview(variables)': OWN,
  'Query.emailsExport(tags)': OWN,
  'JSONFilter.contains': OWN,
  'Mutation.templateTestSend(variables)': OWN,
};

/** Model fields with custom content, which are JSON by type. */
const JSON_FIELDS = new Set(['json', 'properties', 'properties_definition']);
const recordTypes = new Map([...registry.values()].map((model) => [getModelGraphNames(model).type, model]));

function findModelField({ at }: JsonPosition): Field | undefined {
  const [type, name] = at.split('.') as [string, string];
  const model = recordTypes.get(type);
  return model && getOutputFields(registry, model).get(name)?.field;
}

/** Returns true for a record's properties or their definitions in a model's input. */
const isProperties = ({ at, kind }: JsonPosition): boolean =>
  kind === 'input' && /(?:Create|Update|New)Input\.\w*[pP]roperties(?:Definition)?$/.test(at);

/** Returns true for the domain of a group, which is passed as the `domain` argument of a list. */
const isGroupDomain = ({ at, kind }: JsonPosition): boolean => kind === 'field' && /Group\.domain$/.test(at);

const isContent = (position: JsonPosition): boolean => JSON_FIELDS.has(findModelField(position)?.type ?? '');

test('uses the JSON type only for a documented reason', () => {
  const jsonPlaces = places.filter(({ type }) => type === 'JSON');
  expect(jsonPlaces.length).toBeGreaterThan(30);
  const unexplainedPositions = jsonPlaces.filter(
    (position) =>
      !REASONS[position.at] &&
      !(position.kind === 'argument' && position.name === 'domain') &&
      !isProperties(position) &&
      !isGroupDomain(position) &&
      !isContent(position),
  );
  expect(unexplainedPositions.map(({ at }) => at)).toEqual([]);
});

test('uses every documented reason', () => {
  const jsonPaths = new Set(places.filter(({ type }) => type === 'JSON').map(({ at }) => at));
  expect(Object.keys(REASONS).filter((at) => !jsonPaths.has(at))).toEqual([]);
});

test('names all arguments and input fields in camelCase', () => {
  const namedPlaces = places.filter(({ kind }) => kind !== 'field');
  expect(namedPlaces.length).toBeGreaterThan(500);
  expect(namedPlaces.filter(({ name }) => !/^[a-z][a-zA-Z0-9]*$/.test(name)).map(({ at }) => at)).toEqual([]);
});
