import { globSync, readFileSync } from 'node:fs';
import {
  buildSchema,
  concatAST,
  type FieldNode,
  type GraphQLObjectType,
  isObjectType,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { expect, it } from 'vitest';
import { cacheConfig } from './cache-config.ts';

const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'), { assumeValid: true });
const documents = concatAST(
  globSync('web/src/**/*.graphql').map((file) => parse(readFileSync(file, 'utf8'))),
);

/** Types without a model whose id identifies one object, regardless of the query. */
const UNIQUE = new Set([
  'AgentCall',
  'ApiKey',
  'AppRuleName',
  'Campaign',
  'ConnectedAgent',
  'ContactBook',
  'LiveEvent',
  'MailAttachment',
  'MailFolderState',
  'MailLabelState',
  'MailRuleFolder',
  'MailRuleLabel',
  'MailRuleRow',
  'MailThread',
  'MailboxState',
  'NewKey',
  'SendingDomain',
  'Template',
  'TemplateVersion',
  'UserSession',
  'Webhook',
  'WebhookCall',
  'WebhookSecret',
  'WebsiteOutline',
  'Workspace',
]);

const getModel = ({ description }: GraphQLObjectType): string | undefined =>
  /^A record of the model [^\n]*?\(`([^`]+)`\)/.exec(description ?? '')?.[1];

/** Returns the types whose id is selected by a document of the application. */
function findSelectedTypes(): Set<string> {
  const typenames = new Set<string>();
  const types = new TypeInfo(schema);
  const addType = ({ name, alias }: FieldNode) => {
    const key = (alias ?? name).value;
    if (key === 'id' || key === '_id') typenames.add(types.getParentType()!.name);
  };
  visit(
    documents,
    visitWithTypeInfo(types, {
      enter(node) {
        if (node.kind === Kind.FIELD) addType(node);
      },
    }),
  );
  return typenames;
}

it('caches objects by id only if their type has unique ids', () => {
  const selected = [...findSelectedTypes()];
  expect(selected.length).toBeGreaterThan(50);
  const ambiguous = selected.filter(
    (name) => !getModel(schema.getType(name) as GraphQLObjectType) && !UNIQUE.has(name),
  );
  expect(ambiguous.filter((name) => !cacheConfig.keys?.[name])).toEqual([]);
  for (const name of ambiguous)
    expect(cacheConfig.keys![name]!({ __typename: name, id: '3' }), name).toBeNull();
  expect([...UNIQUE].filter((name) => !selected.includes(name))).toEqual([]);
});

it('the schema has one type for each model', () => {
  const models = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => getModel(type) ?? []);
  expect(models.length).toBeGreaterThan(70);
  expect(new Set(models).size).toBe(models.length);
});
