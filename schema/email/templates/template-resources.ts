import { builder } from '../../../src/engine/operation/builder.ts';
import { getSettingsLoader } from '../../settings/read-resource.ts';
import { buildAuthorshipFields } from '../../settings/record-relation.ts';
import { addResourceRoots, buildRelatedList } from '../../settings/resource.ts';
import { createResource } from '../../settings/resources.ts';
import { ADMIN_READ_POLICY } from '../kit/policies.ts';
import { buildGraphFields, type Shape } from '../kit/shape.ts';
import { TemplateInputShape } from './template-input.ts';

const { subject, html, content, variables, raw } = TemplateInputShape.parts;

const contentShape: Shape = {
  subject: { type: 'String', description: subject.description },
  html: { type: 'String', nullable: true, description: html.description },
  text: {
    type: 'String',
    nullable: true,
    description: 'Plain text body; null if it is generated from the HTML.',
  },
  content: { type: 'String', nullable: true, description: content.description },
  variables: { type: 'JSON', description: variables.description },
  raw: { type: ['String'], description: raw.description },
};

export const Template = builder.prismaObject('SvcTemplate', {
  name: 'Template',
  description: 'An email template.',
  select: { workspace_id: true, id: true },
  fields: (t) => ({
    ...buildGraphFields(t, {
      id: {
        type: 'ID',
        column: 'public_id',
        description: 'Unique identifier. To send the template, pass it as `templateId`.',
      },
      name: { type: 'String', description: 'Name shown in lists.' },
      ...contentShape,
      version: {
        type: 'Int',
        description: 'Number of the current version. Each change increments it.',
      },
      createdAt: { type: 'DateTime', column: 'create_date', description: 'When the template was created.' },
      updatedAt: {
        type: 'DateTime',
        column: 'write_date',
        description: 'When the template was last changed.',
      },
    }),
    ...buildAuthorshipFields(t, 'svc.template'),
  }),
});

const TemplateVersion = builder.prismaObject('SvcTemplateVersion', {
  name: 'TemplateVersion',
  description: "A version of an email template's content.",
  select: { workspace_id: true, id: true },
  fields: (t) => ({
    ...buildGraphFields(t, {
      id: { type: 'ID', description: 'Unique identifier of the version.' },
      number: { type: 'Int', description: 'Number of the version, starting at 1.' },
      ...contentShape,
      createdAt: { type: 'DateTime', column: 'create_date', description: 'When the version was saved.' },
    }),
    template: t.field({
      type: Template,
      nullable: true,
      description: 'Template that the version belongs to. Null if you cannot read the template.',
      select: { template_id: true },
      resolve: (row, _args, ctx, info) =>
        getSettingsLoader(ctx, templateResource, info).load(row.template_id) as never,
    }),
  }),
});

const templateVersionResource = createResource('svc.template.version', {
  type: 'TemplateVersion',
  policy: ADMIN_READ_POLICY,
});

export const templateResource = createResource('svc.template', {
  type: 'Template',
  key: 'public_id',
  policy: ADMIN_READ_POLICY,
});

builder.prismaObjectField(Template, 'versions', (t) =>
  buildRelatedList(
    t,
    { owner: templateResource, relation: 'version_ids' },
    templateVersionResource,
    TemplateVersion,
    'All versions, newest first.',
  ),
);

addResourceRoots(templateResource, Template, { many: 'templates', one: 'template' });
addResourceRoots(templateVersionResource, TemplateVersion, {
  many: 'templateVersions',
  one: 'templateVersion',
});
