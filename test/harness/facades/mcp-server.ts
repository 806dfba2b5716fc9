import { listen } from '../../../boot/server.ts';
import { createMcpFacade } from '../../../facades/mcp/facade.ts';
import type { McpRegistry } from '../../../facades/mcp/registry.ts';
import { recordArrival } from '../../../src/http/client-address.ts';
import type { App } from '../app.ts';

export async function serveMcp(
  app: App,
  registry: McpRegistry,
): Promise<{ url: string; close(): Promise<void> }> {
  const facade = createMcpFacade(app.runtime, registry);
  const respond = async (request: Request, env: unknown) => {
    recordArrival(request.headers, env);
    return facade.fetch(request);
  };
  const { port, close } = await listen(respond, '127.0.0.1', 0);
  return { url: `http://127.0.0.1:${port}`, close };
}
