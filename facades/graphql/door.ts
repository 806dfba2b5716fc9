import { Hono } from 'hono';
import type { Runtime } from '../../src/engine/runtime.ts';

export function graphqlDoor(_runtime: Runtime): Hono {
  return new Hono();
}
