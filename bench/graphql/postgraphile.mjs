import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter';

// PostGraphile on the same database, set up for production as its manual describes.

const pgl = postgraphile({
  extends: [PostGraphileAmberPreset, PostGraphileConnectionFilterPreset],
  // Allows sorting and filtering by columns without their own index, as our side does.
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
