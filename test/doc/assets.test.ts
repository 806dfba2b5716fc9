import { describe, expect, it } from 'vitest';

// The browser modules have no types. The tests cover only their pure functions.
const importAsset = (name: string) =>
  import(new URL(`../../facades/doc/assets/${name}`, import.meta.url).href);
const { find } = await importAsset('search.js');
const { buildSampleArguments } = await importAsset('samples.js');
const { buildCurl, buildGraphql, buildPython, buildTypescript } = await importAsset('snippets.js');

describe('the documentation search', () => {
  const buildEntry = (model: string, name: string, fields: string[], methods: string[]) => ({
    model,
    name,
    fields: Object.fromEntries(fields.map((field) => [field, { string: `Label of ${field}` }])),
    methods,
  });
  const models = [
    buildEntry('crm.lead', 'Lead', ['partner_id', 'email_from'], ['read', 'action_set_won']),
    buildEntry('res.partner', 'Contact', ['email', 'phone'], ['read']),
    buildEntry('res.partner.category', 'Tag', ['name'], ['read']),
  ];

  it.each<[string, [model: string, ...hits: string[]][]]>([
    ['', [['crm.lead'], ['res.partner'], ['res.partner.category']]],
    ['res.partner', [['res.partner'], ['res.partner.category']]],
    ['partner', [['res.partner'], ['res.partner.category'], ['crm.lead', 'partner_id']]],
    ['CONTACT', [['res.partner']]],
    ['contact email', [['res.partner', 'email']]],
    [
      'email partner',
      [
        ['res.partner', 'email'],
        ['crm.lead', 'partner_id', 'email_from'],
      ],
    ],
    ['won', [['crm.lead', 'action_set_won']]],
    ['label phone', [['res.partner', 'email', 'phone']]],
    ['lead nothing', []],
    ['.*', []],
  ])('%j finds %j', (text, expected) => {
    const results = find(models, text) as { model: string; fields: string[]; methods: string[] }[];
    expect(results.map(({ model, fields, methods }) => [model, ...fields, ...methods])).toEqual(expected);
  });
});

describe('sample arguments', () => {
  it.each([
    ['of a model', { api: ['model'], parameters: {} }, {}],
    ['of records', { api: [], parameters: {} }, { ids: [1] }],
    ['with values', { api: [], parameters: { vals: { annotation: 'dict' } } }, { ids: [1], vals: {} }],
    [
      'with a list of values',
      { api: ['model'], parameters: { vals_list: { annotation: 'list[dict]' } } },
      { vals_list: [{}] },
    ],
    [
      'that searches',
      {
        api: ['model'],
        parameters: {
          domain: { annotation: 'list', default: null },
          fields: { annotation: 'list[str] | None', default: null },
          limit: { annotation: 'int | None', default: null },
          order: { annotation: 'str | None', default: null },
        },
      },
      { domain: [], fields: ['display_name'], limit: 5 },
    ],
    [
      'with a list and a value of any type',
      { api: ['model'], parameters: { names: { annotation: 'list[str]' }, any: { annotation: 'Any' } } },
      { names: [], any: '' },
    ],
  ])('for a method %s start with the arguments of the method', (_, method, expected) => {
    expect(buildSampleArguments(method)).toEqual(expected);
  });
});

describe('code samples', () => {
  const base = {
    origin: 'http://here',
    database: 'main',
    login: 'admin',
    model: 'res.partner',
    method: 'write',
    takesIds: true,
    named: { ids: [7], vals: { name: "It's", active: true, parent_id: null } },
    graphql: {
      kind: 'mutation',
      field: 'recordWrite',
      arguments: { model: 'String!', ids: '[Int!]!', vals: 'JSON!' },
      select: '',
    },
  };

  it('escape quotes in curl commands', () => {
    expect(buildCurl(base)).toBe(
      `curl -s 'http://here/json/2/res.partner/write' \\
  -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' \\
  -d '{"ids":[7],"vals":{"name":"It'\\''s","active":true,"parent_id":null}}'`,
    );
  });

  it('pass the ids as the first argument in Python', () => {
    expect(buildPython(base)).toContain(
      `[[7]], {"vals": {"name": "It's", "active": True, "parent_id": None}},`,
    );
    const onModel = { ...base, takesIds: false, method: 'search', named: { domain: [] } };
    expect(buildPython(onModel)).toContain('"search",\n    [], {"domain": []},');
    expect(buildPython({ ...base, named: {} })).toContain('[[]], {},');
  });

  it('contain the URL in TypeScript, but no key', () => {
    expect(buildTypescript(base)).toContain('fetch("http://here/json/2/res.partner/write"');
    expect(buildTypescript(base)).toContain('process.env.API_KEY');
  });

  it.each([
    [
      'inline values',
      base.named,
      '',
      `(model: "res.partner", ids: [7], vals: {name: "It's", active: true, parent_id: null})`,
    ],
    ['missing ids', { vals: {} }, '', '(model: "res.partner", ids: [], vals: {})'],
    [
      'omitted arguments of the JSON API',
      { ids: [], vals: {}, context: {} },
      '',
      '(model: "res.partner", ids: [], vals: {})',
    ],
    [
      'a key that is not a valid name as a variable',
      { ids: [], vals: { 'a-b': 1 } },
      ' ($vals: JSON!)',
      '(model: "res.partner", ids: [], vals: $vals)',
    ],
  ])('contain the arguments in GraphQL: %s', (_what, namedArgs, declared, list) => {
    const document: string = buildGraphql({ ...base, named: namedArgs });
    expect(document.replace(/^#.*\n/, '')).toBe(`mutation${declared} {\n  recordWrite${list}\n}\n`);
    expect(/^# variables: (.*)/.exec(document)?.[1]).toBe(declared ? '{"vals":{"a-b":1}}' : undefined);
  });

  it('contain the selection in GraphQL if an operation returns an object', () => {
    const graphql = { kind: 'query', field: 'docIndex', arguments: {}, select: '{ id }' };
    expect(buildGraphql({ ...base, named: {}, graphql })).toBe('query {\n  docIndex { id }\n}\n');
  });
});
