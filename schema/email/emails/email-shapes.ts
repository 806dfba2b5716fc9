import { type Sql, sql } from '../../../src/db/sql.ts';
import { defineRecordShape } from '../../../src/engine/operation/record-shape.ts';
import { buildShapePairsSql } from '../../../src/engine/operation/shape.ts';

// Email objects of the facades, built from rows `m` of svc_email and `v` of svc_email_event.

const OBJECT_SCHEMA = { type: 'object', additionalProperties: {} };
const STRING_MAP_SCHEMA = { type: 'object', additionalProperties: { type: 'string' } };

const listedFields = {
  id: true,
  to: true,
  replyTo: true,
  cc: true,
  bcc: true,
  from: true,
  subject: true,
  html: true,
  text: true,
  createdAt: { description: 'When the email was accepted.' },
  updatedAt: { description: 'When the email was last changed.' },
  latestStatus: true,
  scheduledAt: true,
  domainId: { description: 'Sending domain.' },
} as const;

export const listedEmailShape = defineRecordShape('EmailItem', {
  model: 'svc.email',
  row: 'm',
  description: 'Summary of an email.',
  parts: listedFields,
});

const eventShape = defineRecordShape('EmailEvent', {
  model: 'svc.email.event',
  row: 'v',
  description: 'Something that happened to an email.',
  parts: {
    emailId: { type: 'ID', description: 'Email the event belongs to.', sql: sql`m.public_id` },
    status: true,
    createdAt: { description: 'When the event happened.' },
    data: { form: OBJECT_SCHEMA },
  },
});

/** Builds the join that `emailShape` requires for emails `m`. */
export const buildEmailEvents = (workspaceId: number): Sql =>
  sql`cross join lateral (
    select coalesce(json_agg(json_build_object(${buildShapePairsSql(eventShape)}) order by v.id), '[]') as list
    from svc_email_event v where v.workspace_id = ${workspaceId} and v.email_id = m.id) events`;

export const emailShape = defineRecordShape('Email', {
  model: 'svc.email',
  row: 'm',
  description: 'An email with its events.',
  parts: {
    ...listedFields,
    teamId: {
      type: 'Int',
      description: 'Identifier of the Team that sent the email.',
      sql: sql`m.workspace_id`,
    },
    state: true,
    reason: true,
    suppressed: true,
    templateId: {
      type: 'ID',
      nullable: true,
      description: 'Template the email was rendered from.',
      sql: sql`m.template_id`,
    },
    tags: { form: STRING_MAP_SCHEMA, description: 'Tags given in the request.' },
    metadata: { form: OBJECT_SCHEMA, description: 'Metadata given in the request.' },
    emailEvents: { type: [eventShape], description: 'Events, oldest first.', sql: sql`events.list` },
  },
});
