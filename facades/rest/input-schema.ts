import { z } from '@hono/zod-openapi';
import { type InputPart, inputShapes } from '../../src/engine/operation/input.ts';
import { instantSchema } from './instants.ts';

/**
 * Declares a request body as a component of the document. The schema is built on demand, after the operations have
 * declared their inputs.
 */
export const defineBody = <T>(name: string, build: () => z.ZodType): z.ZodType<T> =>
  z.lazy(build).openapi(name) as unknown as z.ZodType<T>;

/**
 * Builds the schema of an input that an operation declares under this name.
 * @param custom schemas that replace those of declared fields (nullability and description are added), or that add
 * fields
 * @param required optional fields that the API requires
 */
export function buildInputSchema(
  name: string,
  custom: Record<string, z.ZodType> = {},
  required: string[] = [],
): z.ZodObject {
  const { parts, description } = inputShapes.get(name)!;
  const declared = Object.entries(parts).map(([key, part]) => {
    const schema = custom[key] ?? buildPartSchema(part);
    return [
      key,
      (part.required || required.includes(key) ? schema : schema.nullish()).openapi({
        ...part.form,
        description: part.description,
      }),
    ];
  });
  const added = Object.entries(custom).filter(([key]) => !(key in parts));
  return z.object(Object.fromEntries([...declared, ...added])).openapi({ description });
}

const buildPartSchema = (part: InputPart): z.ZodType =>
  typeof part.type === 'string'
    ? BUILDERS[part.type](part)
    : z.array(buildInputSchema(part.type[0].ref.name));

const BUILDERS: Record<InputPart['type'] & string, (part: InputPart) => z.ZodType> = {
  Boolean: () => z.boolean(),
  DateTime: () => instantSchema,
  ID: buildStringSchema,
  Int: ({ min, max }) => z.int().min(min!).max(max!),
  JSON: () => z.record(z.string(), z.unknown()),
  String: buildStringSchema,
  StringList: () => z.array(z.string()),
  StringMap: () => z.record(z.string(), z.string()),
  StringOrList: (part) => {
    const item = buildStringSchema(part);
    return z.union([item.transform((text) => [text]), z.array(item)], {
      error: ({ input }) => (input === undefined ? undefined : 'must be a string or an array of strings'),
    });
  },
};

function buildStringSchema({ min }: InputPart) {
  return min === undefined ? z.string() : z.string().min(min);
}
