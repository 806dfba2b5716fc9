import { Hono } from 'hono';
import type { Runtime } from '../../src/engine/runtime.ts';

export function restDoor(_runtime: Runtime): Hono {
  return new Hono();
}
