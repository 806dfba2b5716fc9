import type { GraphQLResolveInfo } from 'graphql';
import { getRuleTree } from '../../../src/engine/access/access.ts';
import {
  createDomainReader,
  getModel,
  getReadableModel,
} from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { parseDomain } from '../../../src/engine/domain/parse.ts';
import { type LiveChange, LiveSource, type Topic } from '../../../src/engine/live/topic.ts';
import { getTopicName } from '../../../src/engine/live/watch-tables.ts';
import { toCamelCase } from '../../../src/engine/model/naming.ts';
import { search, searchRead } from '../../../src/engine/read/records.ts';
import { errors } from '../../../src/errors.ts';
import { isFollowed, MAX_STREAM_TOPICS } from '../plan/live.ts';
import { getTypeName } from '../plan/names.ts';
import { getKeyField } from '../plan/values.ts';
import { withArchived } from './connection.ts';
import { combineConditions } from './page.ts';
import type { GraphRow } from './rows.ts';
import { buildRowSelectList, getSelectionOfModel, type RecordSelection } from './selection.ts';
import { toWhereDomain } from './where.ts';

export interface FollowArguments {
  where?: unknown;
  domain?: unknown;
  after?: string | null;
}

interface LiveTopic {
  name?: string | null;
  model: string;
  domain?: unknown;
}

interface GraphTopic extends Topic {
  name: string;
  model: string;
}

/** @throws ACCESS_ERROR, BAD_VALUE */
export function follow(
  ctx: Ctx,
  name: string,
  { where, domain, after }: FollowArguments,
  info: GraphQLResolveInfo,
): LiveSource {
  const topic = buildGraphTopic(ctx, { name, model: name, where, domain }, info);
  return new LiveSource([topic], after);
}

export function followTopics(
  ctx: Ctx,
  { topics, after }: { topics: LiveTopic[]; after?: string | null },
  info: GraphQLResolveInfo,
): LiveSource {
  if (topics.length === 0 || topics.length > MAX_STREAM_TOPICS)
    throw errors.badRequest(`A stream must have 1 to ${MAX_STREAM_TOPICS} topics.`);
  const all = topics.map((topic) =>
    buildGraphTopic(ctx, { ...topic, name: topic.name ?? topic.model }, info),
  );
  return new LiveSource(all, after);
}

export function toChangeEvent({ kind, topic, key, row, cursor }: LiveChange) {
  const { name, model } = (topic ?? { name: null, model: null }) as GraphTopic;
  return { topic: name, kind, model, id: key, record: row, cursor };
}

interface FollowRequest {
  name: string;
  model: string;
  where?: unknown;
  domain?: unknown;
}

/** Builds a topic that resolves the model and its fields for each event, because the workspace can change them. */
function buildGraphTopic(
  ctx: Ctx,
  { name, model: modelName, where, domain }: FollowRequest,
  info: GraphQLResolveInfo,
): GraphTopic {
  const model = getReadableModel(ctx, modelName);
  if (!isFollowed(model)) throw errors.badRequest(`${modelName} does not support subscriptions.`);
  const key = getKeyField(model);
  const keyed = toCamelCase(key);
  const conditions = (now: Ctx): unknown[] =>
    combineConditions(toWhereDomain(now.catalog.registry, getModel(now, modelName), where), domain);
  const filter = conditions(ctx);
  // Validates the conditions before the first event arrives.
  parseDomain(filter, model, ctx.catalog.registry, createDomainReader(ctx));
  const rows = async (
    now: Ctx,
    selection: RecordSelection | null,
    ids: number[] | null,
    limit: number | null,
  ) => {
    const baseDomain = conditions(now);
    const rows = await searchRead(now, {
      model: modelName,
      domain: ids ? [['id', 'in', ids], ...baseDomain] : baseDomain,
      fields: [...(selection ? buildRowSelectList(now, selection) : ['id']), ...(key === 'id' ? [] : [key])],
      page: { order: 'id', limit },
      flavour: 'graph',
    });
    return rows.value<GraphRow[]>();
  };
  return {
    name,
    model: modelName,
    source: getTopicName(model),
    isLog: model.options.graph?.log === true,
    isNarrow: model.active !== null || filter.length > 0,
    isOpen(now) {
      const current = getReadableModel(now, modelName);
      return key === 'id' && getRuleTree(now, current, 'read') === null;
    },
    async read(now, ids) {
      const current = getModel(now, modelName);
      const selection = getSelectionOfModel(info, now.catalog.registry, current, ['record']);
      const type = getTypeName(current);
      const records = await rows(now, selection, ids, null);
      return new Map(
        records.map((row) => [
          row.id,
          { key: String(row[keyed]), row: Object.assign(row, { __typename: type }) },
        ]),
      );
    },
    findReadable: async (now, ids) =>
      new Set(await search(withArchived(now, true), modelName, [['id', 'in', ids]])),
    async reach(now, most) {
      return (await rows(now, null, null, most)).map((row) => [
        row.id,
        key === 'id' ? null : String(row[keyed]),
      ]);
    },
  };
}
