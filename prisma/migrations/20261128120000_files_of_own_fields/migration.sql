-- CreateTable
CREATE TABLE "ir_field_file" (
    "workspace_id" INTEGER NOT NULL,
    "field_id" INTEGER NOT NULL,
    "record_id" BIGINT NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "ir_field_file_pkey" PRIMARY KEY ("workspace_id","field_id","record_id")
);

-- AddForeignKey
ALTER TABLE "ir_field_file" ADD CONSTRAINT "ir_field_file_workspace_id_field_id_fkey" FOREIGN KEY ("workspace_id", "field_id") REFERENCES "ir_model_fields"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "ir_field_file" SET (autovacuum_analyze_scale_factor = 0.02);

-- What the Prisma schema cannot say.

-- The beginning and the length of a file are read without the rest of it.
ALTER TABLE "ir_field_file" ALTER COLUMN "content" SET STORAGE EXTERNAL;

-- Files of fields that workspaces have added leave the JSON of their records. Processes of the version before do not see
-- them any more.
DO $$
DECLARE
  "each" record;
  "tab" regclass;
  "own" boolean;
BEGIN
  FOR "each" IN
    SELECT f."workspace_id", f."id", f."name", f."model", f."model_id" FROM "ir_model_fields" f WHERE f."ttype" = 'binary'
  LOOP
    "tab" := to_regclass(replace("each"."model", '.', '_'));
    "own" := "tab" IS NULL;
    IF "own" THEN "tab" := 'ir_record'::regclass; END IF;
    CONTINUE WHEN NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = "tab" AND attname = 'custom');
    EXECUTE format(
      'INSERT INTO "ir_field_file" ("workspace_id", "field_id", "record_id", "content")
       SELECT t."workspace_id", %s, t."id", decode(t."custom"->>%L, ''base64'') FROM %s t
       WHERE t."workspace_id" = %s AND t."custom"->>%L IS NOT NULL %s',
      "each"."id", "each"."name", "tab", "each"."workspace_id", "each"."name",
      CASE WHEN "own" THEN format('AND t."model_id" = %s', "each"."model_id") ELSE '' END);
    EXECUTE format(
      'UPDATE %s t SET "custom" = t."custom" - %L WHERE t."workspace_id" = %s AND t."custom" ? %L %s',
      "tab", "each"."name", "each"."workspace_id", "each"."name",
      CASE WHEN "own" THEN format('AND t."model_id" = %s', "each"."model_id") ELSE '' END);
  END LOOP;
END $$;
