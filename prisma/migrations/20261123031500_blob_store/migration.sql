-- Contents are kept in pieces of 256 kB, so that a large one is never held whole. Those that are there keep their names
-- and stay as they are, unsealed. One row at a time is taken apart.
CREATE TABLE "svc_blob_chunk" (
    "workspace_id" INTEGER NOT NULL,
    "place" TEXT NOT NULL,
    "no" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "svc_blob_chunk_pkey" PRIMARY KEY ("workspace_id","place","no")
);
ALTER TABLE "svc_blob_chunk" SET (autovacuum_analyze_scale_factor = 0.02);
-- What is sealed cannot be compressed, and of what is not, a part can be read.
ALTER TABLE "svc_blob_chunk" ALTER COLUMN "content" SET STORAGE EXTERNAL;

CREATE TABLE "svc_blob_key" (
    "workspace_id" INTEGER NOT NULL,
    "sealed" TEXT NOT NULL,

    CONSTRAINT "svc_blob_key_pkey" PRIMARY KEY ("workspace_id")
);
ALTER TABLE "svc_blob_key" SET (autovacuum_analyze_scale_factor = 0.02);

ALTER TABLE "svc_blob" ADD COLUMN "size" BIGINT, ADD COLUMN "sealed" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "store" TEXT NOT NULL DEFAULT 'pg', ADD COLUMN "place" TEXT, ADD COLUMN "marked_at" TIMESTAMP(3),
  ADD COLUMN "copied_at" TIMESTAMP(3);
ALTER TABLE "svc_blob" RENAME COLUMN "created_at" TO "put_at";
UPDATE "svc_blob" SET "size" = octet_length("content"), "place" = "hash";

INSERT INTO "svc_blob_chunk" ("workspace_id", "place", "no", "content")
SELECT b."workspace_id", b."place", c."no", substring(b."content" FROM c."no" * 262144 + 1 FOR 262144)
FROM "svc_blob" b
CROSS JOIN LATERAL generate_series(0, greatest((b."size" - 1) / 262144, 0)::int) c("no");

ALTER TABLE "svc_blob" DROP COLUMN "content", ALTER COLUMN "size" SET NOT NULL, ALTER COLUMN "place" SET NOT NULL,
  ALTER COLUMN "sealed" DROP DEFAULT, ALTER COLUMN "store" DROP DEFAULT;

CREATE INDEX "svc_blob_marked" ON "svc_blob" ("workspace_id", "marked_at") WHERE "marked_at" IS NOT NULL;
CREATE INDEX "svc_blob_copied" ON "svc_blob" ("workspace_id", "copied_at") WHERE "copied_at" IS NOT NULL;
