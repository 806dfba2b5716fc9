import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter';

// PostGraphile on the same database, as its manual sets it up for production.

const pgl = postgraphile({
  extends: [PostGraphileAmberPreset, PostGraphileConnectionFilterPreset],
  // Orders and conditions on columns without an index of their own, as the other side has.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  schema: { connectionFilterRelations: true },
  pgServices: [
    makePgService({
      connectionString: process.env.DATABASE_URL,
      schemas: ['public'],
      pubsub: false,
      max: 20,
    }),
  ],
  grafserv: { graphiql: false, watch: false },
  grafast: { explain: false },
});
const handler = await postgraphileHandler();
const server = createServer((request, response) => {
  if (request.url === '/') response.end('ok');
  else handler(request, response);
});
server.listen(Number(process.env.PORT), '127.0.0.1');

async function postgraphileHandler() {
  const serv = pgl.createServ(grafserv);
  await serv.ready();
  return serv.createHandler();
}
