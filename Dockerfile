# One image for the API and the workers; the command decides which it is.

FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without install scripts: what they would fetch (another Node, platform binaries) is not needed in the image.
RUN npm ci --ignore-scripts
COPY prisma ./prisma
COPY prisma.config.ts ./
COPY scripts/generate.ts ./scripts/generate.ts
RUN node scripts/generate.ts
COPY scripts/build-console.ts ./scripts/build-console.ts
COPY scripts/console ./scripts/console
COPY src/client ./src/client
COPY src/react ./src/react
COPY console ./console
RUN node scripts/build-console.ts
# Optional packages are the embedded Postgres, and ffmpeg and tesseract of npm; the image has a server beside it and Debian's programs.
RUN npm prune --omit=dev --omit=optional --ignore-scripts

FROM node:24.21.0-slim
ENV NODE_ENV=production
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg tesseract-ocr tesseract-ocr-deu tesseract-ocr-fra && rm -rf /var/lib/apt/lists/*
# Made here so that a volume mounted on it belongs to the unprivileged user.
RUN install --directory --owner=node --group=node /data
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY package.json ./
COPY prisma ./prisma
COPY src ./src
COPY workers ./workers
COPY --from=build /app/src/generated ./src/generated
COPY --from=build /app/console/dist ./console/dist
ENV HOST=0.0.0.0 PORT=4000 MILLRACE_DATA_DIR=/data
USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node directly, not npm: it must be the process that gets the stop signal.
CMD ["node", "src/server.ts"]
