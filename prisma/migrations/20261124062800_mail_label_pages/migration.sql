-- CreateTable
CREATE TABLE "svc_mail_label_bucket" (
    "workspace_id" INTEGER NOT NULL,
    "label_id" INTEGER NOT NULL,
    "folder_id" INTEGER NOT NULL,
    "day" INTEGER NOT NULL,
    "n" INTEGER NOT NULL,

    CONSTRAINT "svc_mail_label_bucket_pkey" PRIMARY KEY ("workspace_id","label_id","folder_id","day")
);

-- AlterTable
ALTER TABLE "svc_mail_label_bucket" SET (autovacuum_analyze_scale_factor = 0.02);

-- DropIndex
DROP INDEX "svc_mail_entry_label_workspace_id_label_id_date_entry_id_idx";

-- AlterTable
ALTER TABLE "svc_mail_entry_label" ADD COLUMN "folder_id" INTEGER;
UPDATE "svc_mail_entry_label" l SET "folder_id" = e."folder_id" FROM "svc_mail_entry" e
WHERE e."workspace_id" = l."workspace_id" AND e."id" = l."entry_id";
ALTER TABLE "svc_mail_entry_label" ALTER COLUMN "folder_id" SET NOT NULL;

INSERT INTO "svc_mail_label_bucket" ("workspace_id", "label_id", "folder_id", "day", "n")
SELECT "workspace_id", "label_id", "folder_id", "date"::date - date '1970-01-01', count(*) FROM "svc_mail_entry_label"
GROUP BY 1, 2, 3, 4;

-- CreateIndex
CREATE INDEX "svc_mail_entry_label_workspace_id_label_id_folder_id_date_e_idx" ON "svc_mail_entry_label"("workspace_id", "label_id", "folder_id", "date" DESC, "entry_id" DESC);
