-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "equipped" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "ir_model_stock" ADD COLUMN     "since" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "workspace_counter" (
    "workspace_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "next" BIGINT NOT NULL,

    CONSTRAINT "workspace_counter_pkey" PRIMARY KEY ("workspace_id","name")
);

-- CreateIndex
CREATE INDEX "workspace_equipped_idx" ON "workspace"("equipped");

-- What the Prisma schema cannot say.

-- Where the numbers of workspaces that exist go on: behind those of the sequences, which all workspaces shared. Processes of
-- the version before go on with the sequences while they run, a million further on.
DO $$
DECLARE
  "each" record;
  "last" bigint;
  "floors" jsonb := '{}';
BEGIN
  IF NOT EXISTS (SELECT FROM "workspace") THEN RETURN; END IF;
  FOR "each" IN
    SELECT t.relname AS tab, d.objid::regclass AS seq FROM pg_depend d
    JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
    JOIN pg_class t ON t.oid = d.refobjid AND t.relnamespace = to_regnamespace(current_schema())
    JOIN pg_attribute i ON i.attrelid = t.oid AND i.attnum = d.refobjsubid AND i.attname = 'id'
    JOIN pg_attribute w ON w.attrelid = t.oid AND w.attname = 'workspace_id'
    WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'a'
      AND t.relname <> ALL (ARRAY['ir_model', 'ir_model_fields', 'svc_email_event', 'svc_webhook_call', 'svc_suppression',
        'svc_event', 'svc_provider_event'])
  LOOP
    EXECUTE format('SELECT last_value FROM %s', "each".seq) INTO "last";
    "floors" := "floors" || jsonb_build_object("each".tab, "last" + 1);
    IF "last" < 2146000000 THEN PERFORM setval("each".seq, "last" + 1000000); END IF;
  END LOOP;
  INSERT INTO "installation" ("name", "value")
  SELECT 'numbers before', ("floors" || jsonb_build_object('workspace', max("id") + 1))::text FROM "workspace";
END $$;
