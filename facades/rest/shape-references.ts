import type { OpenAPIHono } from '@hono/zod-openapi';
import {
  buildSchemaRef,
  buildShapeSchema,
  listPartShapes,
  type ObjectShape,
  shapes,
} from '../../src/engine/operation/shape.ts';

type OpenApiComponent = Parameters<OpenAPIHono['openAPIRegistry']['registerComponent']>[2];

const used = new Set<string>();

/** References an object type that is declared next to its operation. */
export function referToShape(name: string): { $ref: string } {
  used.add(name);
  return { $ref: buildSchemaRef(name) };
}

export const buildShapeList = (name: string) => ({ type: 'array' as const, items: referToShape(name) });

export function buildShapeComponents(): Map<string, OpenApiComponent> {
  const components = new Map<string, OpenApiComponent>();
  const add = (shape: ObjectShape): void => {
    if (components.has(shape.name)) return;
    if (!shape.inline) components.set(shape.name, buildShapeSchema(shape) as OpenApiComponent);
    for (const inner of listPartShapes(shape)) add(inner);
  };
  for (const name of used) add(shapes.get(name)!);
  return components;
}
