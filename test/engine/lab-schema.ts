import '../../schema/base/roles.ts';
import type { Datamodel } from '../../src/engine/model/datamodel.ts';
import { defineModule } from '../../src/engine/model/modules.ts';
import { defineModel } from '../../src/engine/model/registry.ts';
import { defineTree, TREE_SQL, treeModels } from './lab-tree.ts';

// A model with a field of every type, which no product model has, and its related models.

type RawField = Datamodel['models'][string]['fields'][number];

const buildField = (name: string, type: string, overrides: Partial<RawField> = {}): RawField => ({
  name,
  type,
  kind: 'scalar',
  isRequired: false,
  isList: false,
  hasDefaultValue: false,
  ...overrides,
});
const buildDocumentedField = (name: string, type: string, documentation: string): RawField =>
  buildField(name, type, { documentation });
const buildRequiredField = (name: string, type: string, hasDefaultValue = false): RawField =>
  buildField(name, type, { isRequired: true, hasDefaultValue });
/** Builds the column `x_id` and Prisma's relation object. */
const buildLink = (name: string, type: string, relationName: string, isRequired = false): RawField[] => [
  buildField(name, 'Int', { isRequired }),
  buildField(name.replace(/_id$/, ''), type, {
    kind: 'object',
    relationName,
    relationFromFields: ['workspace_id', name],
  }),
];
const buildList = (name: string, type: string, relationName: string, documentation = ''): RawField =>
  buildField(name, type, { kind: 'object', isRequired: true, isList: true, relationName, documentation });

const id = buildRequiredField('id', 'Int', true);
const active = buildRequiredField('active', 'Boolean', true);

export const labDatamodel: Datamodel = {
  models: {
    ...treeModels,
    Lab: {
      documentation: 'Lab record',
      fields: [
        id,
        buildField('name', 'String'),
        buildField('code', 'String'),
        buildDocumentedField('text', 'String', 'Text\n@text'),
        buildDocumentedField('html', 'String', 'Html\n@html'),
        buildField('int', 'Int'),
        buildField('float', 'Float'),
        buildField('mon', 'Decimal'),
        buildField('bool', 'Boolean'),
        buildDocumentedField('date', 'DateTime', 'Date\n@date'),
        buildField('dt', 'DateTime'),
        buildDocumentedField('sel', 'String', 'Choice\n@selection a=Aaa, b=Bbb, c=Ccc'),
        buildField('labels', 'String', { isList: true, isRequired: true }),
        buildField('data', 'Json'),
        buildField('file', 'Bytes'),
        buildDocumentedField('boss_note', 'String', 'Note of the boss\n@groups lab.boss'),
        buildDocumentedField('hush', 'String', 'Secret\n@secret'),
        buildDocumentedField('stamp', 'String', 'Stamp\n@readonly'),
        ...buildLink('country_id', 'LabCountry', 'lab_country'),
        ...buildLink('parent_id', 'Lab', 'lab_parent'),
        buildList('child_ids', 'Lab', 'lab_parent'),
        buildList('line_ids', 'LabLine', 'lab_lines'),
        buildList('tag_ids', 'LabTagRel', 'lab_tags', 'Tags\n@many2many tag_id'),
      ],
    },
    LabCountry: {
      fields: [
        id,
        buildRequiredField('name', 'String'),
        buildField('code', 'String'),
        ...buildLink('currency_id', 'LabCurrency', 'country_currency'),
        buildList('state_ids', 'LabState', 'country_states'),
      ],
    },
    LabCurrency: { fields: [id, buildRequiredField('name', 'String')] },
    LabState: {
      fields: [
        id,
        buildRequiredField('name', 'String'),
        ...buildLink('country_id', 'LabCountry', 'country_states'),
      ],
    },
    LabTag: { fields: [id, buildRequiredField('name', 'String'), active] },
    LabTagRel: {
      fields: [
        ...buildLink('lab_id', 'Lab', 'lab_tags', true),
        ...buildLink('tag_id', 'LabTag', 'tag_rel', true),
      ],
    },
    LabLine: {
      fields: [
        id,
        buildField('name', 'String'),
        buildField('qty', 'Float'),
        active,
        ...buildLink('lab_id', 'Lab', 'lab_lines'),
      ],
    },
    LabStrict: {
      documentation: 'Strict record',
      fields: [
        id,
        buildRequiredField('name', 'String'),
        buildRequiredField('level', 'Int', true),
        buildField('mode', 'String', { isRequired: true, documentation: 'Mode\n@selection on=On, off=Off' }),
        ...buildLink('lab_id', 'Lab', 'strict_lab', true),
        buildList('part_ids', 'LabPart', 'strict_parts'),
      ],
    },
    LabPart: {
      fields: [
        id,
        buildField('name', 'String'),
        ...buildLink('strict_id', 'LabStrict', 'strict_parts', true),
      ],
    },
    LabHidden: { fields: [id, buildField('name', 'String'), ...buildLink('lab_id', 'Lab', 'hidden_lab')] },
    LabOwned: {
      documentation: 'Owned record',
      fields: [
        id,
        buildField('name', 'String'),
        buildField('owner', 'Int'),
        buildField('level', 'Int'),
        ...buildLink('lab_id', 'Lab', 'owned_lab'),
        ...buildLink('hidden_id', 'LabHidden', 'owned_hidden'),
        ...buildLink('parent_id', 'LabOwned', 'owned_parent'),
        buildList('child_ids', 'LabOwned', 'owned_parent'),
      ],
    },
  },
};

export const LAB_SQL = `${TREE_SQL}
  create table lab_currency (workspace_id int, id int generated by default as identity, name text not null, primary key (workspace_id, id));
  create table lab_country (workspace_id int, id int generated by default as identity, name text not null, code text, currency_id int, primary key (workspace_id, id));
  create table lab_state (workspace_id int, id int generated by default as identity, name text not null, country_id int, primary key (workspace_id, id));
  create table lab_tag (workspace_id int, id int generated by default as identity, name text not null, active boolean not null default true, primary key (workspace_id, id));
  create table lab (
    workspace_id int, id int generated by default as identity, name text, code text, text text, html text, int int, float float8, mon numeric, bool boolean,
    date date, dt timestamp(3), sel text, labels text[], data jsonb, file bytea, boss_note text, hush text, stamp text, country_id int, parent_id int,
    primary key (workspace_id, id),
    foreign key (workspace_id, country_id) references lab_country (workspace_id, id) on delete restrict,
    foreign key (workspace_id, parent_id) references lab (workspace_id, id) on delete restrict
  );
  create table lab_tag_rel (
    workspace_id int, lab_id int, tag_id int, primary key (workspace_id, lab_id, tag_id),
    foreign key (workspace_id, lab_id) references lab (workspace_id, id) on delete cascade,
    foreign key (workspace_id, tag_id) references lab_tag (workspace_id, id) on delete cascade
  );
  create table lab_line (
    workspace_id int, id int generated by default as identity, name text, qty float8, active boolean not null default true, lab_id int, primary key (workspace_id, id),
    foreign key (workspace_id, lab_id) references lab (workspace_id, id) on delete cascade
  );
  create table lab_strict (
    workspace_id int, id int generated by default as identity, name text not null, level int not null default 7, mode text not null, lab_id int not null,
    primary key (workspace_id, id), unique (workspace_id, name), check (level < 100),
    foreign key (workspace_id, lab_id) references lab (workspace_id, id) on delete restrict
  );
  create table lab_part (
    workspace_id int, id int generated by default as identity, name text, strict_id int not null, primary key (workspace_id, id),
    foreign key (workspace_id, strict_id) references lab_strict (workspace_id, id) on delete cascade
  );
  create table lab_hidden (workspace_id int, id int generated by default as identity, name text, lab_id int, primary key (workspace_id, id));
  create table lab_owned (
    workspace_id int, id int generated by default as identity, name text, owner int, level int, lab_id int, hidden_id int, parent_id int, primary key (workspace_id, id)
  );
`;

const access = { 'lab.user': 'crwu' };

export function defineLab(): void {
  defineModule('lab', ['lab']);
  defineTree();
  for (const name of [
    'lab.country',
    'lab.currency',
    'lab.state',
    'lab.tag',
    'lab.line',
    'lab.strict',
    'lab.part',
  ])
    defineModel(name, { group: 'data', access });
  defineModel('lab', {
    group: 'data',
    access,
    related: { country_code: { path: 'country_id.code', label: 'Country code' } },
  });
  defineModel('lab.hidden', { group: 'data', access: { 'lab.boss': 'crwu' } });
  defineModel('lab.owned', {
    group: 'data',
    access: { 'lab.user': 'crwu', 'lab.reader': 'r' },
    order: 'name',
    rules: [
      { name: 'below level 10 for everybody', domain: "[('level', '<', 10)]" },
      { name: 'own', group: 'lab.user', domain: "[('owner', '=', user.id)]" },
      {
        name: 'those of the parent',
        group: 'lab.user',
        domain: "[('parent_id.owner', '=', user.id)]",
      },
      { name: 'every one', group: 'lab.boss', domain: '[]' },
      { name: 'final', operations: ['write', 'unlink'], domain: "[('name', '!=', 'final')]" },
    ],
  });
}
