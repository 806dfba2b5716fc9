import { builder } from '../../src/engine/operation/builder.ts';
import { toIsoTime } from '../../src/engine/value/instant.ts';

/** Id and display name, as in classic RPC. */
type NamePair = [number, string];

export const NamedRecord = builder.objectRef<NamePair>('NamedRecord').implement({
  description: 'A record id with its display name.',
  fields: (t) => ({
    id: t.id({ description: 'Record id.', resolve: ([id]) => id }),
    displayName: t.string({ description: 'Display name.', resolve: ([, name]) => name }),
  }),
});

/** Classic RPC returns `[id, name]`, or false if unset. */
const toPair = (value: unknown): NamePair | null => (Array.isArray(value) ? (value as NamePair) : null);

const ExternalName = builder.objectRef<{ xmlid: string; noupdate: boolean }>('ExternalName').implement({
  description: 'An external id of a record.',
  fields: (t) => ({
    name: t.exposeString('xmlid', { description: 'External id, such as `base.main_company`.' }),
    noUpdate: t.exposeBoolean('noupdate', { description: 'True if imports leave the record unchanged.' }),
  }),
});

/** Result of `get_metadata` in classic RPC, with false for unset values. */
type MetadataRow = Record<string, unknown> & { id: number };

export const RecordMetadata = builder.objectRef<MetadataRow>('RecordMetadata').implement({
  description: 'Creation, last change and external ids of a record.',
  fields: (t) => ({
    id: t.id({ description: 'Record id.', resolve: (log) => log.id }),
    createdBy: t.field({
      type: NamedRecord,
      nullable: true,
      description: "User who created the record; null if it doesn't have one.",
      resolve: (log) => toPair(log.create_uid),
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the record was created.',
      resolve: (log) => parseInstant(log.create_date),
    }),
    updatedBy: t.field({
      type: NamedRecord,
      nullable: true,
      description: 'User who last changed the record.',
      resolve: (log) => toPair(log.write_uid),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the record was last changed.',
      resolve: (log) => parseInstant(log.write_date),
    }),
    externalIds: t.field({
      type: [ExternalName],
      description: 'External ids of the record.',
      resolve: (log) => log.xmlids as { xmlid: string; noupdate: boolean }[],
    }),
  }),
});

/** The record API formats times in UTC, without a zone suffix. */
const parseInstant = (text: unknown): Date | null =>
  typeof text === 'string' ? new Date(toIsoTime(text)) : null;

export const RecordExternalId = builder.objectRef<NamePair>('RecordExternalId').implement({
  description: 'The external id of a record.',
  fields: (t) => ({
    id: t.id({ description: 'Record id.', resolve: ([id]) => id }),
    externalId: t.string({
      nullable: true,
      description: "External id; null if the record doesn't have one.",
      resolve: ([, name]) => name || null,
    }),
  }),
});

export const Translation = builder
  .objectRef<{ lang: string; source: string; value: string }>('Translation')
  .implement({
    description: 'A field value in one language.',
    fields: (t) => ({
      language: t.exposeString('lang', { description: 'Language code, such as `fr_FR`.' }),
      source: t.exposeString('source', { description: 'Value in the source language.' }),
      value: t.exposeString('value', { description: "Translation; empty if there isn't one." }),
    }),
  });
