import { expect, test } from 'vitest';
import { getModelGraphNames } from '../../src/engine/model/registry.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, queryData } from '../harness/facades/graphql.ts';

const app = setUpApp();

test('a wizard has only operations to read and update it, and to create it if callers may do so', () => {
  const { registry } = app.runtime;
  const schema = app.runtime.getSchema(registry);
  const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];
  const names = roots.flatMap((root) => Object.keys(root.getFields()));
  const wizards = [...registry.values()].filter(({ options }) => options.isWizard);
  const found = wizards.flatMap((model) => {
    const { one, many } = getModelGraphNames(model);
    const generatedNames = [one, many, `${one}Groups`, `${one}Changed`].concat(
      ['Create', 'Update', 'Delete'].flatMap((verb) => [one + verb, many + verb]),
    );
    return generatedNames.filter((name) => names.includes(name));
  });
  expect(found.sort()).toEqual([
    'baseLanguageInstall',
    'baseLanguageInstallCreate',
    'baseLanguageInstallUpdate',
    'baseModuleUninstall',
    'baseModuleUninstallCreate',
    'baseModuleUninstallUpdate',
    'resUsersApikeysDescription',
    'resUsersApikeysDescriptionCreate',
    'resUsersApikeysDescriptionUpdate',
    'resUsersIdentitycheck',
    'resUsersIdentitycheckUpdate',
  ]);
});

test('a GraphQL client creates a key through the wizards', async () => {
  const { password } = app.main.admin;
  const query = (text: string, variables: object) => queryData(app, text, { variables });
  const { resUsersApikeysDescriptionCreate: description } = await query(
    'mutation ($name: String!) { resUsersApikeysDescriptionCreate(input: { name: $name }) { id name } }',
    { name: 'A key by GraphQL' },
  );
  const { userKeyDescribed: check } = await query(
    'mutation ($id: ID!) { userKeyDescribed(ids: [$id]) { id } }',
    { id: description.id },
  );
  await query(
    `mutation ($id: ID!, $password: String!) {
      resUsersIdentitycheckUpdate(id: $id, input: { password: $password }) { id }
    }`,
    { id: check.id, password },
  );
  const { userKeyChecked: newKey } = await query('mutation ($id: ID!) { userKeyChecked(ids: [$id]) }', {
    id: check.id,
  });
  const { data } = await postGraphql(app, '{ viewer { login } }', { key: newKey });
  expect(data.viewer.login).toBe(app.main.admin.login);
});
