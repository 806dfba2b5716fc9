import { defineConfig } from 'prisma/config';

/** The schema is a folder: one file a domain. The address of the database is never read by Prisma's CLI here. */
export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
});
