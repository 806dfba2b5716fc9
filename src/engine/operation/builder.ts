import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import './argument-texts.ts';
import './policy.ts';
import './record-id.ts';
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import type PrismaTypes from '../../db/generated/pothos.ts';
import { getDatamodel } from '../../db/generated/pothos.ts';
import { getPrisma } from '../../db/prisma.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { stripDirectives } from '../model/datamodel.ts';

/** The only schema builder. Types are declared next to their operations in `schema/`. */
export const builder = new SchemaBuilder<{
  Context: Ctx;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
  Scalars: {
    JSON: { Input: unknown; Output: unknown };
    DateTime: { Input: string; Output: Date | string };
    Date: { Input: string; Output: Date | string };
    Bytes: { Input: Buffer; Output: Buffer };
    TextFile: { Input: string | AsyncIterable<Uint8Array | string>; Output: string };
  };
}>({
  plugins: ['policy', 'argumentTexts', 'recordIds', RelayPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (ctx) => getPrisma(ctx),
    dmmf: stripDirectives(getDatamodel()),
    exposeDescriptions: true,
  },
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    cursorType: 'String',
    firstArgOptions: { description: 'Maximum number of records to return from the start of the list.' },
    afterArgOptions: {
      description: 'Cursor of a record. Only records after it are returned. Cannot be combined with `last`.',
    },
    lastArgOptions: { description: 'Maximum number of records to return from the end of the list.' },
    beforeArgOptions: {
      description:
        'Cursor of a record. Only records before it are returned. Cannot be combined with `first`.',
    },
    nodesOnConnection: { description: 'The records on this page.' },
    nodeFieldOptions: { nullable: false, description: 'The record.' },
    edgesFieldOptions: { nullable: false, description: 'The records on this page, each with its cursor.' },
    cursorFieldOptions: {
      description: 'Cursor of the record. Pass it as `after` or `before` to continue from this record.',
    },
    pageInfoFieldOptions: { description: 'Position of this page in the list.' },
    pageInfoTypeOptions: { description: 'Position of a page in its list.' },
    hasNextPageFieldOptions: { description: 'True if there are more records after this page.' },
    hasPreviousPageFieldOptions: { description: 'True if there are more records before this page.' },
    startCursorFieldOptions: {
      description: 'Cursor of the first record on this page. Null if the page is empty.',
    },
    endCursorFieldOptions: {
      description: 'Cursor of the last record on this page. Null if the page is empty.',
    },
  },
});

builder.queryType({ description: 'Operations that read data. They never change it.' });
builder.mutationType({ description: 'Operations that change data.' });

/** A scalar without functions passes any value through. */
export const GraphQLJson = new GraphQLScalarType({ name: 'JSON', description: 'Any JSON value.' });

builder.addScalarType('JSON', GraphQLJson);

builder.scalarType('Bytes', {
  description: 'Bytes, as base64 in JSON.',
  serialize: (value) => value.toString('base64'),
  parseValue: parseBytes,
  parseLiteral: (node: ValueNode) => parseBytes(node.kind === Kind.STRING ? node.value : null),
});

/** Facades in this process pass the bytes directly. */
function parseBytes(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value;
  const digits = typeof value === 'string' ? value.replace(/\s+/g, '').replace(/={1,2}$/, '') : null;
  if (digits === null || /[^A-Za-z0-9+/_-]/.test(digits) || digits.length % 4 === 1)
    throw new GraphQLError('bytes must be a string in base64');
  return Buffer.from(digits, 'base64');
}

builder.scalarType('TextFile', {
  description: 'Content of a text file in UTF-8, as a string.',
  serialize: (value) => value,
  parseValue: parseTextFile,
  parseLiteral: (node: ValueNode) => parseTextFile(node.kind === Kind.STRING ? node.value : null),
});

/** Facades in this process may pass the file as a stream, which JSON cannot contain. */
function parseTextFile(value: unknown): string | AsyncIterable<Uint8Array> {
  if (typeof value === 'string') return value;
  if (value !== null && typeof value === 'object' && Symbol.asyncIterator in value)
    return value as AsyncIterable<Uint8Array>;
  throw new GraphQLError('the content of a file must be a string');
}

builder.scalarType('DateTime', {
  description:
    'An ISO 8601 timestamp such as `2026-11-20T08:30:00Z` or `2026-11-20T09:30+01:00`. Interpreted as UTC ' +
    'if it has no offset. Results are in UTC with milliseconds.',
  serialize: (value) => (value instanceof Date ? value.toISOString() : value),
  parseValue: parseInstant,
  parseLiteral: (node: ValueNode) => {
    return parseInstant(node.kind === Kind.STRING ? node.value : null, node);
  },
});

const INSTANT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** Parses an instant more strictly than Date.parse, which accepts `Order 66`. */
function parseInstant(value: unknown, node?: ValueNode): string {
  const [, day, time = '00:00', offset = 'Z'] = INSTANT.exec(String(value)) ?? [];
  const zone = /^[+-]\d\d(?:\d\d)?$/.test(offset)
    ? `${offset.slice(0, 3)}:${offset.slice(3) || '00'}`
    : offset;
  const instant = new Date(
    typeof value === 'string' ? `${day}T${time.replace(',', '.')}${zone}` : Number.NaN,
  );
  if (Number.isNaN(instant.getTime()) || !isCalendarDay(day!))
    throw new GraphQLError('DateTime: not an ISO 8601 time such as 2026-11-20T08:30:00Z', { nodes: node });
  return instant.toISOString();
}

/** Returns false for a day such as 30 February, which `Date` would convert to another day. */
const isCalendarDay = (day: string): boolean =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);

builder.scalarType('Date', {
  description: 'A date as `YYYY-MM-DD`.',
  serialize: (value) => (value instanceof Date ? value.toISOString().slice(0, 10) : value),
  parseValue: parseDay,
  parseLiteral: (node: ValueNode) => parseDay(node.kind === Kind.STRING ? node.value : null, node),
});

function parseDay(value: unknown, node?: ValueNode): string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value) || !isCalendarDay(value))
    throw new GraphQLError('Date: not a date as YYYY-MM-DD', { nodes: node });
  return value;
}
