import { Hono } from 'hono';
import type { Runtime } from '../src/engine/runtime.ts';
import type { Doors } from '../src/server.ts';
import { graphqlDoor } from './graphql/door.ts';
import { json2Door } from './json2/door.ts';
import { mcpDoor } from './mcp/door.ts';
import { restDoor } from './rest/door.ts';
import { rpcDoor } from './rpc/door.ts';
import { watchDoor } from './watch/door.ts';
import { webDoor } from './web/door.ts';

/** Every door on one port; `watch` opens health and metrics alone. */
export function buildDoors(runtime: Runtime, which: 'all' | 'watch'): Doors {
  const app = new Hono();
  app.route('/', watchDoor(runtime));
  if (which === 'all') {
    for (const door of [restDoor, json2Door, rpcDoor, mcpDoor, graphqlDoor, webDoor])
      app.route('/', door(runtime));
  }
  return app.fetch as Doors;
}
