# It needs an external PostgreSQL in DATABASE_URL.
FROM node:24-slim AS build
# A folder of the clone that holds apps of your own; docs/guides/apps.md.
ARG APPS_DIR=
ENV APPS_DIR=$APPS_DIR
WORKDIR /app
COPY package.json package-lock.json ./
# The optional packages are for what builds the browser application; they stay behind too, but for those that make
# pictures smaller. Node is in the image, PostgreSQL outside.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The browser application is built here, and its source stays behind. NOTICE has the licenses of what it is made of.
# Prisma's command line generates the database client here and stays behind, with the compilers of other databases.
RUN node scripts/setup.mjs --no-install \
  && node scripts/notice.ts > NOTICE \
  && find web -mindepth 1 -maxdepth 1 ! -name dist -exec rm -r {} + \
  && rm schema/schema.graphql boot/operations.ts \
  && tar -cf /tmp/pictures.tar -C node_modules sharp @img detect-libc semver \
  && npm prune --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund \
  && tar -xf /tmp/pictures.tar -C node_modules \
  && find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name 'query_compiler_small_bg.postgresql.*' -delete

FROM node:24-slim
ARG APPS_DIR=
ENV NODE_ENV=production APPS_DIR=$APPS_DIR
WORKDIR /app
COPY --from=build /app ./
# The data folder must belong to the user that runs the app.
RUN mkdir -p /data && chown node:node /data
USER node
ENV HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/api/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "boot/main.mjs"]
