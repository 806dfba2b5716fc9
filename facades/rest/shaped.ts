import type { OpenAPIHono } from '@hono/zod-openapi';
import {
  buildSchemaRef,
  buildShapeSchema,
  listPartShapes,
  type ObjectShape,
  shapes,
} from '../../src/engine/verb/shape.ts';

type Component = Parameters<OpenAPIHono['openAPIRegistry']['registerComponent']>[2];

const used = new Set<string>();

/** The object that is declared under this name beside its verb. */
export function shaped(name: string): { $ref: string } {
  used.add(name);
  return { $ref: buildSchemaRef(name) };
}

/** A list of them. */
export const listOfShaped = (name: string) => ({ type: 'array' as const, items: shaped(name) });

/** The declared objects that responses refer to, as components of the document. */
export function shapeComponents(): Map<string, Component> {
  const components = new Map<string, Component>();
  const add = (shape: ObjectShape): void => {
    if (components.has(shape.name)) return;
    if (!shape.inline) components.set(shape.name, buildShapeSchema(shape) as Component);
    for (const inner of listPartShapes(shape)) add(inner);
  };
  for (const name of used) add(shapes.get(name)!);
  return components;
}
