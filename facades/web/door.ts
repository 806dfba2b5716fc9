import { Hono } from 'hono';
import type { Runtime } from '../../src/engine/runtime.ts';

export function webDoor(_runtime: Runtime): Hono {
  return new Hono();
}
