-- AlterTable
ALTER TABLE "svc_mail_intake" ADD COLUMN     "origin" TEXT;

-- AlterTable
ALTER TABLE "svc_mail_message" ADD COLUMN     "below_hash" BYTEA;

-- CreateIndex
CREATE UNIQUE INDEX "svc_mail_intake_workspace_id_origin_key" ON "svc_mail_intake"("workspace_id", "origin");

-- Mailboxes with something to be filed, one after another; what has been filed is not in it.
CREATE INDEX "svc_mail_delivery_open_idx" ON "svc_mail_delivery" ("workspace_id", "account_id", "next_at", "id")
WHERE "next_at" IS NOT NULL;

-- What waits for a person.
CREATE INDEX "svc_mail_delivery_failed_idx" ON "svc_mail_delivery" ("workspace_id", "id") WHERE "state" = 'failed';
