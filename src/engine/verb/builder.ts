import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import './argument-texts.ts';
import './policy.ts';
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import type PrismaTypes from '../../db/generated/pothos.ts';
import { getDatamodel } from '../../db/generated/pothos.ts';
import { prismaOf } from '../../db/prisma.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { withoutMarks } from '../model/datamodel.ts';

/** The only schema builder. It declares no types: each stands beside its verbs in `schema/`. */
export const builder = new SchemaBuilder<{
  Context: Ctx;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    JSON: { Input: unknown; Output: unknown };
    DateTime: { Input: string; Output: Date | string };
    Bytes: { Input: Buffer; Output: Buffer };
  };
}>({
  plugins: ['policy', 'argumentTexts', PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (ctx) => prismaOf(ctx),
    dmmf: withoutMarks(getDatamodel()),
    exposeDescriptions: true,
    maxConnectionSize: 100,
  },
});

builder.queryType({ description: 'Operations that read. They never change data.' });
builder.mutationType({ description: 'Operations that change data.' });

// Without functions of its own a scalar takes and gives any value as it is.
builder.addScalarType('JSON', new GraphQLScalarType({ name: 'JSON', description: 'Any JSON value.' }));

builder.scalarType('Bytes', {
  description: 'Bytes, as base64 in JSON.',
  serialize: (value) => value.toString('base64'),
  parseValue: parseBytes,
  parseLiteral: (node: ValueNode) => parseBytes(node.kind === Kind.STRING ? node.value : null),
});

/** A door in this process gives the bytes themselves. */
function parseBytes(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (typeof value !== 'string') throw new GraphQLError('bytes are a string in base64');
  return Buffer.from(value, 'base64');
}

builder.scalarType('DateTime', {
  description: 'An ISO 8601 time. Results are in UTC with milliseconds, such as `2026-11-20T08:30:00.000Z`.',
  serialize: (value) => (value instanceof Date ? value.toISOString() : value),
  parseValue: parseInstant,
  parseLiteral: (node: ValueNode) => {
    if (node.kind !== Kind.STRING) throw new GraphQLError('a DateTime is a string');
    return parseInstant(node.value);
  },
});

function parseInstant(value: unknown): string {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw new GraphQLError('not an ISO 8601 time');
  return new Date(time).toISOString();
}
