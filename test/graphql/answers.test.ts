import { describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql as askAs, queryData } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';

const app = setUpApp();
const admin = createJsonClient(app);

const runDone = (document: string, variables: object = {}) => queryData(app, document, { variables });

const queryError = async (query: string, variables: object = {}) =>
  (await askAs(app, query, { key: app.main.admin.key, variables })).errors[0]!;

describe('record ids', () => {
  const READ = 'query ($ids: [ID!]!) { recordRead(model: "res.partner", ids: $ids, fields: ["name"]) }';

  test('are strings in GraphQL responses and accepted as strings or numbers', async () => {
    const { recordCreate: ids } = await runDone(
      'mutation { recordCreate(model: "res.partner", valsList: [{ name: "Ann" }, { name: "Bob" }]) }',
    );
    expect(ids).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
    const names = {
      recordRead: [expect.objectContaining({ name: 'Ann' }), expect.objectContaining({ name: 'Bob' })],
    };
    expect(await runDone(READ, { ids })).toEqual(names);
    expect(await runDone(READ, { ids: ids.map(Number) })).toEqual(names);
    const matches = await runDone(
      'query ($d: JSON!) { recordSearch(model: "res.partner", domain: $d, order: "id") }',
      {
        d: [['id', 'in', ids.map(Number)]],
      },
    );
    expect(matches.recordSearch).toEqual(ids);
  });

  test.each([['seven'], ['1e3'], ['9007199254740993'], ['']])('are rejected: %s', async (id) => {
    expect(await queryError(READ, { ids: [id] })).toMatchObject({
      message: "Invalid value for the argument 'ids'",
      extensions: { code: 'BAD_VALUE' },
    });
  });

  test('remain numbers in the other protocols', async () => {
    const [id] = await admin.value('res.partner/create', { vals_list: [{ name: 'Cay' }] });
    expect(id).toEqual(expect.any(Number));
    expect(await admin.value('res.partner/copy', { ids: [id] })).toEqual([expect.any(Number)]);
    expect(
      (await admin.expectRejection('res.partner/create', { valsList: [{ name: 'Dan' }] })).message,
    ).toContain('vals_list');
  });
});

describe('model descriptions', () => {
  test('contain the metadata required by a user interface', async () => {
    const { modelDescribe: model, models } = await runDone(`{
      models(filter: "crm.lead") { model name pluralName }
      modelDescribe(model: "crm.lead") {
        name label typeName queryField listField displayField custom access { read create update delete }
        fields {
          name graphqlName relationName type label required readonly list relation relationType relationField
          selection { value label graphqlName } translated currencyField
        }
        operations { field kind method description }
      }
    }`);
    expect(models).toContainEqual({ model: 'crm.lead', name: 'Lead', pluralName: 'Leads' });
    expect(model).toMatchObject({
      name: 'crm.lead',
      typeName: 'CrmLead',
      queryField: 'crmLead',
      listField: 'crmLeads',
      custom: false,
      access: { read: true, create: true, update: true, delete: true },
    });
    const getField = (name: string) => model.fields.find((field: { name: string }) => field.name === name);
    expect(getField('stage_id')).toMatchObject({
      graphqlName: 'stageId',
      relationName: 'stage',
      type: 'MANY2ONE',
      list: false,
      relation: 'crm.stage',
      relationType: 'CrmStage',
    });
    expect(getField('tag_ids')).toMatchObject({ graphqlName: null, relationName: 'tags', list: true });
    expect(getField('type').selection).toContainEqual({ value: 'lead', label: 'Lead', graphqlName: 'LEAD' });
    expect(getField('name')).toMatchObject({ required: true, type: 'CHAR', selection: null });
    expect(model.operations).toContainEqual({
      field: 'crmLeadMarkWon',
      kind: 'MUTATION',
      method: 'action_set_won',
      description: expect.stringContaining('won'),
    });
    expect(model.operations.map((operation: { field: string }) => operation.field)).toContain('crmLeads');
  });

  test.each([
    ['sale.order', 'en', 'Sales Order', 'Sales Orders'],
    ['sale.order', 'de', 'Verkaufsauftrag', 'Verkaufsaufträge'],
    ['res.bank', 'de', 'Bank', 'Banken'],
    // Without a declared plural
    ['crm.stage', 'en', 'CRM Stage', 'CRM Stages'],
  ])('of %s in %s have the label %s and the list title %s', async (model, lang, label, pluralLabel) => {
    const query =
      'query ($model: String!, $lang: String!) { modelDescribe(model: $model, lang: $lang) { label pluralLabel } }';
    expect((await runDone(query, { model, lang })).modelDescribe).toEqual({ label, pluralLabel });
  });

  test('contain only names that exist in the schema', async () => {
    const query = `{
      models(limit: 500) { model }
      __schema { types { name fields { name } enumValues { name } } queryType { fields { name } } }
    }`;
    const { models, __schema: schema } = await runDone(query);
    // biome-ignore lint/suspicious/noExplicitAny: the result of an introspection has no static type
    const types = new Map<string, any>(schema.types.map((type: { name: string }) => [type.name, type]));
    const roots = new Set(schema.queryType.fields.map((field: { name: string }) => field.name));
    for (const { model } of models) {
      const { modelDescribe: description } = await runDone(
        `query ($model: String!) { modelDescribe(model: $model) {
          typeName queryField listField fields { name graphqlName relationName relationType }
        } }`,
        { model },
      );
      const type = types.get(description.typeName);
      expect(type, model).toBeDefined();
      const names = new Set(type.fields.map((field: { name: string }) => field.name));
      for (const root of [description.queryField, description.listField])
        if (root) expect(roots).toContain(root);
      for (const { name, graphqlName, relationName, relationType } of description.fields) {
        if (graphqlName) expect(names, `${model}.${name}`).toContain(graphqlName);
        if (relationName) expect(names, `${model}.${name}`).toContain(relationName);
        if (relationType) expect(types.has(relationType), `${model}.${name}`).toBe(true);
      }
    }
  });

  test.each(['res.partner', 'crm.lead', 'ir.attachment'])(
    'have the same field properties as fields_get: %s',
    async (model) => {
      const properties = ['searchable', 'sortable', 'groupable', 'exportable', 'required', 'readonly'];
      const { modelDescribe: description } = await runDone(
        `query ($model: String!) { modelDescribe(model: $model) { fields { name ${properties.join(' ')} } } }`,
        { model },
      );
      const expectedFields = await admin.value(`${model}/fields_get`, { attributes: properties });
      for (const { name, ...field } of description.fields)
        expect(field, name).toEqual(
          Object.fromEntries(
            properties.map((property) => [property, expectedFields[name][property] ?? false]),
          ),
        );
    },
  );

  test('list the same fields as fields_get, limited to the given names', async () => {
    const { recordFieldsGet: fields } = await runDone(
      '{ recordFieldsGet(model: "res.partner", allfields: ["name", "country_id"]) { name type relation } }',
    );
    expect(fields).toContainEqual({ name: 'country_id', type: 'MANY2ONE', relation: 'res.country' });
    expect(fields).toHaveLength(2);
  });
});

describe('record operations', () => {
  test('find and create records by name', async () => {
    const { recordNameCreate: tag } = await runDone(
      'mutation { recordNameCreate(model: "crm.tag", name: "Hot") { id displayName } }',
    );
    expect(tag).toEqual({ id: expect.any(String), displayName: 'Hot' });
    const { recordNameSearch: matches } = await runDone(
      '{ recordNameSearch(model: "crm.tag", name: "ho") { id displayName } }',
    );
    expect(matches).toEqual([tag]);
    const { partnerNameCreate: partner } = await runDone(
      'mutation { partnerNameCreate(name: "Ann Lee <ann@x.example>") { id name email } }',
    );
    expect(partner).toMatchObject({ name: 'Ann Lee', email: 'ann@x.example' });
  });

  test('return metadata and external ids of records', async () => {
    const id = String(app.main.admin.id);
    const { recordMetadata, recordExternalId } = await runDone(
      `query ($id: ID!) {
        recordMetadata(model: "res.users", ids: [$id]) {
          id createdAt updatedAt createdBy { id displayName } externalIds { name noUpdate }
        }
        recordExternalId(model: "res.users", ids: [$id]) { id externalId }
      }`,
      { id },
    );
    expect(recordMetadata).toEqual([
      {
        id,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        createdBy: null,
        externalIds: [{ name: 'base.user_admin', noUpdate: expect.any(Boolean) }],
      },
    ]);
    expect(recordExternalId).toEqual([{ id, externalId: 'base.user_admin' }]);
    const [stage] = await admin.value('crm.stage/search', { domain: [], limit: 1 });
    const { recordTranslations } = await runDone(
      `query ($id: ID!) {
        recordTranslations(model: "crm.stage", ids: [$id], fieldName: "name") { language source value }
      }`,
      { id: stage },
    );
    expect(recordTranslations).toContainEqual({ language: 'en_US', source: 'New', value: 'New' });
  });

  test('import and export a table of records with an error report', async () => {
    const { recordLoad: report } = await runDone(
      'mutation { recordLoad(model: "crm.tag", fields: ["name"], data: [["Red"], ["Blue"]]) { ids nextRow messages { message } } }',
    );
    expect(report).toEqual({ ids: [expect.any(String), expect.any(String)], nextRow: 0, messages: [] });
    const { recordExport: table } = await runDone(
      'query ($ids: [ID!]!) { recordExport(model: "crm.tag", ids: $ids, fieldsToExport: ["name"]) { columns rows } }',
      { ids: report.ids },
    );
    expect(table).toEqual({ columns: ['name'], rows: [['Red'], ['Blue']] });
    const { recordLoad: failed } = await runDone(
      'mutation { recordLoad(model: "crm.tag", fields: ["color"], data: [["x"]]) { ids messages { type message record firstRow lastRow field } } }',
    );
    expect(failed.ids).toBeNull();
    expect(failed.messages[0]).toMatchObject({ type: 'ERROR', record: 0, firstRow: 0, lastRow: 0 });
  });

  test('archive and restore records and return permissions as booleans', async () => {
    const id = await admin.create('res.partner', { name: 'Old' });
    const data = await runDone(
      `mutation ($id: ID!) {
        recordArchive(model: "res.partner", ids: [$id])
        recordUnarchive(model: "res.partner", ids: [$id])
        recordToggleActive(model: "res.partner", ids: [$id])
      }`,
      { id },
    );
    expect(data).toEqual({ recordArchive: true, recordUnarchive: true, recordToggleActive: true });
    expect(await admin.value('res.partner/action_archive', { ids: [id] })).toBeNull();
    expect(await runDone('{ recordCheckAccessRights(model: "res.partner", operation: "read") }')).toEqual({
      recordCheckAccessRights: true,
    });
    expect(await admin.value('res.partner/check_access_rights', { operation: 'read' })).toBeNull();
  });

  test('explain why a record is not accessible', async () => {
    const { explainAccess: reason } = await runDone(
      `query ($user: ID) {
      explainAccess(model: "res.partner", ids: [], operation: "unlink", userId: $user) {
        allowed operation model why decidedBy { kind ids } groupsThatWouldHelp
        rights { id name group grants } rules { id name groups domain passes refuses } missing refused
      }
    }`,
      { user: String(app.main.user.id) },
    );
    expect(reason).toMatchObject({
      allowed: false,
      operation: 'DELETE',
      model: 'res.partner',
      decidedBy: { kind: 'RIGHT', ids: [] },
    });
    expect(reason.groupsThatWouldHelp.length).toBeGreaterThan(0);
  });
});

describe('user and session operations', () => {
  test('return the user, workspace and language', async () => {
    const data = await runDone(`{
      contextGet { userId language timeZone }
      sessionLanguages { code name }
      sessionModules
      sessionInfo {
        userId login name workspace registryHash isSystem isAdmin isInternal mayExport partnerId partnerName
        context { userId language } companyId companies { id name currencyId parentId childIds sequence }
        currencies { id name symbol position decimalPlaces }
      }
    }`);
    const userId = String(app.main.admin.id);
    expect(data.contextGet).toMatchObject({ userId, language: 'en_US' });
    expect(data.sessionLanguages).toContainEqual({ code: 'en_US', name: 'English (US)' });
    expect(data.sessionModules).toContain('crm');
    expect(data.sessionInfo).toMatchObject({
      userId,
      login: 'admin',
      workspace: 'main',
      isSystem: true,
      context: { userId, language: 'en_US' },
      companies: [{ id: data.sessionInfo.companyId, parentId: null, childIds: [] }],
    });
    expect(data.sessionInfo.currencies).toContainEqual({
      id: expect.any(String),
      name: 'EUR',
      symbol: '€',
      position: expect.stringMatching(/^(BEFORE|AFTER)$/),
      decimalPlaces: 2,
    });
  });

  test("create a user and change the caller's password", async () => {
    const { userCreate: user } = await runDone(
      'mutation { userCreate(login: "eve@x.example", name: "Eve") { id login name partner { email } } }',
    );
    expect(user).toEqual({
      id: expect.any(String),
      login: 'eve@x.example',
      name: 'Eve',
      partner: { email: 'eve@x.example' },
    });
    const { userWrite } = await runDone(
      'mutation ($id: ID!) { userWrite(ids: [$id], vals: { name: "Eva" }) { id name } }',
      { id: user.id },
    );
    expect(userWrite).toEqual([{ id: user.id, name: 'Eva' }]);
  });
});

describe('settings and files', () => {
  test('return parameters and sequence numbers as strings or null', async () => {
    const set = 'mutation ($v: JSON) { parameterSet(key: "test.answer", value: $v) }';
    expect(await runDone(set, { v: 'one' })).toEqual({ parameterSet: null });
    expect(await runDone(set, { v: 'two' })).toEqual({ parameterSet: 'one' });
    expect(
      await runDone('{ parameterGet(key: "test.answer") other: parameterGet(key: "test.none") }'),
    ).toEqual({
      parameterGet: 'two',
      other: null,
    });
    expect(await admin.value('ir.config_parameter/get_param', { key: 'test.none' })).toBe(false);
    expect(await runDone('mutation { sequenceNextByCode(sequenceCode: "no.such") }')).toEqual({
      sequenceNextByCode: null,
    });
  });

  test('resolve external ids and list models with their names', async () => {
    const data = await runDone(`{
      dataReference(module: "base", xmlId: "user_admin") { model id }
      irModelAvailable { model name }
      irModelDisplayNames(models: ["crm.lead", "no.such"]) { model name }
    }`);
    expect(data.dataReference).toEqual({ model: 'res.users', id: String(app.main.admin.id) });
    expect(data.irModelAvailable).toContainEqual({ model: 'crm.lead', name: 'Lead' });
    expect(data.irModelDisplayNames).toContainEqual({ model: 'no.such', name: 'no.such' });
  });

  test('return files with their content, and jobs with their result', async () => {
    const datas = Buffer.from('Hello').toString('base64');
    const id = await admin.create('ir.attachment', { name: 'a.txt', datas });
    const { fileContent, publicFile } = await runDone(
      `query ($id: ID!) {
        fileContent(id: $id) { name mimetype size content checksum }
        publicFile(id: $id) { name }
      }`,
      { id },
    );
    expect(fileContent).toMatchObject({ name: 'a.txt', mimetype: 'text/plain', size: 5, content: datas });
    expect(publicFile).toBeNull();
    const [cron] = await admin.value('ir.cron/search', { domain: [], limit: 1 });
    expect(
      await runDone('mutation ($id: ID!) { cronRun(ids: [$id]) { success message } }', { id: cron }),
    ).toEqual({
      cronRun: { success: true, message: null },
    });
  });

  test("return a contact's addresses as a list", async () => {
    const id = await admin.create('res.partner', {
      name: 'Big',
      is_company: true,
      child_ids: [[0, 0, { name: 'Accounts', type: 'invoice' }]],
    });
    const { partnerAddressGet: addresses } = await runDone(
      'query ($id: ID!) { partnerAddressGet(ids: [$id], adrPref: ["invoice"]) { type partnerId } }',
      { id },
    );
    expect(addresses.map((address: { type: string }) => address.type).sort()).toEqual(['contact', 'invoice']);
    expect(addresses).toContainEqual({ type: 'contact', partnerId: String(id) });
  });
});

describe('message and activity mutations', () => {
  test('return the created record', async () => {
    const id = await admin.create('crm.lead', { name: 'Talk' });
    const { recordMessagePost: message } = await runDone(
      'mutation ($id: ID!) { recordMessagePost(model: "crm.lead", ids: [$id], body: "Hi", messageType: "comment") { id body } }',
      { id },
    );
    expect(message).toEqual({ id: expect.any(String), body: expect.stringContaining('Hi') });
    const { recordActivitySchedule: activities } = await runDone(
      'mutation ($id: ID!) { recordActivitySchedule(model: "crm.lead", ids: [$id], summary: "Call", dateDeadline: "2030-01-02") { id summary } }',
      { id },
    );
    expect(activities).toEqual([{ id: expect.any(String), summary: 'Call' }]);
    const { activityFeedback: result } = await runDone(
      'mutation ($id: ID!) { activityFeedback(ids: [$id], feedback: "Fine") { id body } }',
      { id: activities[0].id },
    );
    expect(result.body).toContain('Fine');
  });
});

describe('results of app operations', () => {
  test('contain the changed leads', async () => {
    const [a, b] = [
      await admin.create('crm.lead', { name: 'A' }),
      await admin.create('crm.lead', { name: 'B' }),
    ];
    const ids = [String(b), String(a)];
    const { crmLeadMarkWon: won } = await runDone(
      'mutation ($ids: [ID!]!) { crmLeadMarkWon(ids: $ids) { id name probability stage { isWon } } }',
      { ids },
    );
    const stage = { isWon: true };
    expect(won).toEqual([
      { id: ids[0], name: 'B', probability: 100, stage },
      { id: ids[1], name: 'A', probability: 100, stage },
    ]);
    const [open] = await admin.value('crm.stage/search', { domain: [['is_won', '=', false]], limit: 1 });
    const tags = [
      await admin.create('crm.tag', { name: 'Dear' }),
      await admin.create('crm.tag', { name: 'Late' }),
    ];
    await admin.value('crm.lead/write', { ids: [a], vals: { tag_ids: [[6, 0, [tags[0]]]] } });
    const { crmLeadMarkLost: lost, crmLeadRestore: restored } = await runDone(
      `mutation ($ids: [ID!]!, $open: ID, $tags: [ID!]) {
        crmLeadMarkLost(ids: $ids, stageId: $open, tagIds: $tags, description: "Too dear") {
          id active stage { isWon } tags { nodes { name } }
        }
        crmLeadRestore(ids: $ids) { id active }
      }`,
      { ids, open: String(open), tags: [String(tags[1])] },
    );
    for (const lead of lost) expect(lead.tags.nodes).toEqual([{ name: 'Late' }]);
    expect(lost.map((lead: { active: boolean }) => lead.active)).toEqual([false, false]);
    expect(restored).toEqual(ids.map((id) => ({ id, active: true })));
    const { crmLeadMerge: merged } = await runDone(
      'mutation ($ids: [ID!]!) { crmLeadMerge(ids: $ids) { id name } }',
      {
        ids,
      },
    );
    expect(ids).toContain(merged.id);
    expect(await admin.value('crm.lead/action_set_won', { ids: [Number(merged.id)] })).toBe(true);
    const error = await admin.expectError(422, 'crm.lead/action_set_lost', { ids: [Number(merged.id)] });
    expect(error.message).toContain('Won stage');
    expect(
      await admin.value('crm.lead/action_set_lost', { ids: [Number(merged.id)], stage_id: open }),
    ).toBeNull();
  });

  test('contain the changed orders and products', async () => {
    const partner = await admin.create('res.partner', { name: 'Buyer' });
    const id = await admin.create('sale.order', { partner_id: partner });
    const run = async (operation: string) =>
      (
        await runDone(
          `mutation ($ids: [ID!]!) { ${operation}(ids: $ids) { id state locked partner { name } } }`,
          {
            ids: [id],
          },
        )
      )[operation];
    const order = (state: string, isLocked = false) => [
      { id: String(id), state, locked: isLocked, partner: { name: 'Buyer' } },
    ];
    expect(await run('saleOrderMarkSent')).toEqual(order('SENT'));
    expect(await run('saleOrderConfirm')).toEqual(order('SALE'));
    expect(await run('saleOrderLock')).toEqual(order('SALE', true));
    expect(await run('saleOrderUnlock')).toEqual(order('SALE'));
    expect(await run('saleOrderCancel')).toEqual(order('CANCEL'));
    expect(await run('saleOrderSetDraft')).toEqual(order('DRAFT'));
    expect(await run('saleOrderUpdatePrices')).toEqual(order('DRAFT'));
    expect(await run('saleOrderSend')).toEqual(order('SENT'));
    const product = await admin.create('product.product', { name: 'Pen' });
    const { productCopy: copies } = await runDone(
      'mutation ($id: ID!) { productCopy(ids: [$id]) { id name } }',
      {
        id: product,
      },
    );
    expect(copies).toEqual([{ id: expect.any(String), name: expect.stringContaining('Pen') }]);
    expect(copies[0].id).not.toBe(String(product));
  });
});

describe('several mutations in one document', () => {
  test('return the effects of earlier mutations on other records', async () => {
    const buildMembers = (response: { groups: { nodes: { users: { totalCount: number } }[] } }) =>
      response.groups.nodes.map(({ users }) => users.totalCount);
    const { one, two } = await runDone(`
      mutation { one: userCreate(login: "one@x.example") { ...Groups } two: userCreate(login: "two@x.example") { ...Groups } }
      fragment Groups on User { groups { nodes { users { totalCount } } } }`);
    expect(buildMembers(two)).toEqual(buildMembers(one).map((count) => count + 1));
  });
});
