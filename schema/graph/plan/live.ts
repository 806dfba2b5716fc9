import type { Model } from '../../../src/engine/model/model.ts';
import { getModelGraphNames } from '../../../src/engine/model/registry.ts';
import { limits } from '../../../src/limits.ts';
import type { ArgumentDef, FieldDef, TypeDef } from './definition.ts';
import { getTypeName } from './names.ts';

// Subscriptions to a model's records, and a subscription to several topics in one stream.

export const MAX_STREAM_TOPICS = 20;

const AFTER_ARGUMENT: ArgumentDef = {
  name: 'after',
  type: 'String',
  about:
    'Cursor of the last event you received. The stream starts with later events, or with a `RESYNC` if the cursor ' +
    `is more than ${limits.live.keepMinutes} minutes old. Pass it as a variable.`,
};

const DOMAIN: ArgumentDef = {
  name: 'domain',
  type: 'JSON',
  about: 'Filter as a domain expression, such as `[["name", "ilike", "a"]]`.',
};

const KIND: FieldDef = { name: 'kind', type: 'ChangeKind!', about: 'Kind of change.' };

const CURSOR: FieldDef = {
  name: 'cursor',
  type: 'String!',
  about: 'Pass it as `after` to continue from here. Events with the same cursor may be repeated.',
};

const ID: FieldDef = { name: 'id', type: 'ID', about: 'Record id; null for a `RESYNC`.' };

/** Models that Prisma reads do not record changes. */
export const isFollowed = (model: Model): boolean => !model.options.graph?.prisma;

export const buildChangeDef = (model: Model): TypeDef => ({
  kind: 'object',
  name: `${getTypeName(model)}Changed`,
  about: `An event about \`${getTypeName(model)}\` records.`,
  fields: () => [
    KIND,
    ID,
    {
      name: 'record',
      type: getTypeName(model),
      about: 'Current values of the record. Null if it was deleted or no longer matches.',
    },
    CURSOR,
  ],
});

/** Omits the suffix `Changed` from the name of a log's subscription, because log entries never change. */
export const buildChangeRoot = (model: Model): FieldDef => {
  const { one, type } = getModelGraphNames(model);
  const isLog = model.options.graph?.log === true;
  return {
    name: isLog ? one : `${one}Changed`,
    type: `${type}Changed!`,
    about: isLog
      ? `Sends each new \`${type}\` record that matches and that the caller can read.`
      : `Sends changes to \`${type}\` records that match and that the caller can read, checked for each event.`,
    args: [
      { name: 'where', type: `${type}Where`, about: 'Conditions that the records must meet.' },
      DOMAIN,
      AFTER_ARGUMENT,
    ],
    role: 'changed',
    model: model.name,
  };
};

export const LIVE_ROOT: FieldDef = {
  name: 'live',
  type: 'LiveEvent!',
  about:
    'Sends changes to records of several models on one stream, for clients that can open only a few streams. ' +
    'Archived records do not match.',
  args: [
    {
      name: 'topics',
      type: '[LiveTopic!]!',
      about: `Up to ${MAX_STREAM_TOPICS} topics to follow.`,
    },
    AFTER_ARGUMENT,
  ],
  role: 'live',
};

export const LIVE_TYPES: readonly TypeDef[] = [
  {
    kind: 'enum',
    name: 'ChangeKind',
    about: 'Kind of change to a record.',
    fields: () => CHANGE_KINDS.map(([name, about]): FieldDef => ({ name, type: '', about, value: name })),
  },
  {
    kind: 'input',
    name: 'LiveTopic',
    about: 'Records to follow on a shared stream.',
    fields: () => [
      {
        name: 'name',
        type: 'String',
        about: 'Name of the topic in its events. Defaults to the model.',
      },
      { name: 'model', type: 'String!', about: 'Technical name of the model, such as `crm.lead`.' },
      { name: 'domain', type: 'JSON', about: DOMAIN.about },
    ],
  },
  {
    kind: 'object',
    name: 'LiveEvent',
    about: 'An event on a shared stream.',
    fields: () => [
      { name: 'topic', type: 'String', about: 'Name of the topic. Null for a `RESYNC` of all topics.' },
      KIND,
      {
        name: 'model',
        type: 'String',
        about: 'Technical name of the model; null for a `RESYNC` of all topics.',
      },
      ID,
      {
        name: 'record',
        type: 'LiveRecord',
        about: 'Current values of the record. Null if it was deleted or no longer matches.',
      },
      CURSOR,
    ],
  },
  {
    kind: 'union',
    name: 'LiveRecord',
    about: 'A record of any model.',
    fields: (registry) =>
      [...new Set([...registry.values()].filter(isFollowed).map(getTypeName))].map((type) => ({
        name: type,
        type,
        about: '',
      })),
  },
];

const CHANGE_KINDS: [string, string][] = [
  ['CREATED', 'The record is new.'],
  ['ENTERED', 'The record already existed, and now matches and is readable.'],
  [
    'UPDATED',
    'The record has changed. After a reconnect, or if very many records match, it may not have matched before.',
  ],
  ['LEFT', 'The record no longer matches, but still exists.'],
  ['DELETED', 'The record was deleted, or the caller may no longer read it.'],
  [
    'RESYNC',
    'There were too many changes for the stream, or events may have been missed. Read the records again. ' +
      'The stream continues.',
  ],
];
