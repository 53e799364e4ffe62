import { defineConfig } from 'prisma/config';

/** For `prisma migrate status` and Studio only; the program itself reads its configuration in src/config. */
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? '' },
});
