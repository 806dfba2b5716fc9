import SchemaBuilder, {
  BasePlugin,
  InputFieldBuilder,
  type InputOrArgRef,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { errors } from '../../errors.ts';
import { WIDE_MAX } from '../value/number.ts';
import { createInputMapper, type InputDefinition } from './input-mapper.ts';

// Record ids have the type ID. GraphQL clients send strings, other clients send numbers, and operations receive
// numbers.

/**
 * Converts record ids to numbers at any depth.
 * @throws BAD_VALUE for an id that is not a number
 */
export const toNumericIds = createInputMapper(
  ({ extensions }) => extensions.recordId === true,
  parseRecordId,
);

/** @throws BAD_VALUE */
function parseRecordId(value: unknown, { name }: InputDefinition): number {
  const number = typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Math.abs(number) <= WIDE_MAX) return number;
  throw errors.wrongArgument(name);
}

/** Converts ids to numbers before a root field's policy check and audit. */
class RecordIdPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (config.kind !== 'Query' && config.kind !== 'Mutation') return config;
    const toNumbers: (typeof config.argMappers)[number] = (args, _context, info) => {
      const { parentType, fieldName } = info as GraphQLResolveInfo;
      return toNumericIds(parentType.getFields()[fieldName]!.args, args);
    };
    return { ...config, argMappers: [...config.argMappers, toNumbers] };
  }
}

SchemaBuilder.registerPlugin('recordIds', RecordIdPlugin);

interface RecordIdOptions<R extends boolean> {
  required?: R;
  description?: string;
}

type RecordIdRef<Types extends SchemaTypes, Kind extends 'Arg' | 'InputObject', Value, R> = InputOrArgRef<
  Types,
  R extends true ? Value : Value | null | undefined,
  Kind
>;

// Pothos expects custom argument builders as methods of this class.
Object.assign(InputFieldBuilder.prototype, {
  recordId(this: AnyFields, options: object = {}) {
    return this.field({ ...options, type: 'ID', extensions: { recordId: true } });
  },
  recordIds(this: AnyFields, options: object = {}) {
    return this.field({ ...options, type: ['ID'], extensions: { recordId: true } });
  },
});

interface AnyFields {
  field(options: object): unknown;
}

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      recordIds: RecordIdPlugin<Types>;
    }
    export interface InputFieldBuilder<Types extends SchemaTypes, Kind extends 'Arg' | 'InputObject'> {
      /** Declares a record id: `ID` in GraphQL, and a number for `run` and in other facades. */
      recordId<R extends boolean = false>(options?: RecordIdOptions<R>): RecordIdRef<Types, Kind, number, R>;
      recordIds<R extends boolean = false>(
        options?: RecordIdOptions<R>,
      ): RecordIdRef<Types, Kind, number[], R>;
    }
  }
}
